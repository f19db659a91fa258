import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { WhenOver } from '../process/folder.ts';

/** `COMMIT` as a client sends it, and as the server acknowledges it (PostgreSQL's protocol, message formats). */
export const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');
export const COMMITTED = Buffer.from('C\0\0\0\x0bCOMMIT\0', 'latin1');

/** What becomes of a piece of what is sent: it goes on its way, or the connection breaks before it does. */
type Verdict = 'pass' | 'cut';
/** Looks at what a client sends, or at what it is answered; a verdict may take its time. */
type Look = (piece: Buffer) => Verdict | Promise<Verdict>;

/** An address of its own that leads to another one, as long as it does. */
export interface Relay {
  readonly port: number;
  /** From now on new connections lead to another port. */
  readonly lead: (port: number) => void;
  /** Breaks every connection that there is. */
  readonly cut: () => void;
  /** Takes no connections any more, or takes them again. */
  readonly setReachable: (isReachable: boolean) => void;
  /** Lets nothing through any more, in either direction and without a word, or again. */
  readonly setSilent: (isSilent: boolean) => void;
  /** Looks at every piece from now on. */
  readonly inspect: (looks: { readonly sent?: Look; readonly answered?: Look }) => void;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

const both = ({ client, server }: Pair): readonly Socket[] => [client, server];

/** @param port on this machine, where connections lead at first */
export const openRelay = async (port: number, whenOver: WhenOver = onTestFinished): Promise<Relay> => {
  const pairs = new Set<Pair>();
  let target = port;
  let isReachable = true;
  let isSilent = false;
  let looks: Parameters<Relay['inspect']>[0] = {};

  const end = (pair: Pair): void => {
    pairs.delete(pair);
    for (const socket of both(pair)) socket.destroy();
  };
  const forward = (pair: Pair, from: Socket, to: Socket, look: () => Look | undefined): void => {
    const decide = (verdict: Verdict | undefined, piece: Buffer): void => {
      if (verdict === 'cut') end(pair);
      else to.write(piece);
    };
    from.on('data', (piece: Buffer) => {
      const verdict = look()?.(piece);
      if (verdict instanceof Promise) void verdict.then((later) => decide(later, piece));
      else decide(verdict, piece);
    });
    from.on('error', () => {});
    from.on('close', () => end(pair));
    if (isSilent) from.pause();
  };
  const listener = createServer((client) => {
    const pair = { client, server: connect(target, '127.0.0.1') };
    if (!isReachable) return end(pair);
    pairs.add(pair);
    forward(pair, pair.client, pair.server, () => looks.sent);
    forward(pair, pair.server, pair.client, () => looks.answered);
  });
  const cut = (): void => {
    for (const pair of pairs) end(pair);
  };

  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  whenOver(() => {
    cut();
    listener.close();
  });
  return {
    port: (listener.address() as AddressInfo).port,
    lead: (next) => {
      target = next;
    },
    cut,
    setReachable: (next) => {
      isReachable = next;
      if (!next) cut();
    },
    setSilent: (next) => {
      isSilent = next;
      for (const socket of [...pairs].flatMap(both)) next ? socket.pause() : socket.resume();
    },
    inspect: (next) => {
      looks = next;
    },
  };
};
