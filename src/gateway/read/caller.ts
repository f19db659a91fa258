import type { HttpBindings } from '@hono/node-server';
import type { Exchange } from '../http/context.ts';
import type { Caller } from '../port/port.ts';

/** @returns the address of a request's client; `undefined` where it is unknown */
export type AddressOf = (incoming: HttpBindings['incoming']) => string | undefined;

export const remoteAddress: AddressOf = ({ socket }) => socket?.remoteAddress;

interface LazyCaller extends Caller {
  exchange: Exchange;
  addressOf: AddressOf;
}

const CALLER: object = Object.create(null, {
  signal: {
    get(this: LazyCaller): AbortSignal {
      return this.exchange.req.raw.signal;
    },
  },
  client: {
    get(this: LazyCaller): string | undefined {
      const { env } = this.exchange;
      return env?.incoming && this.addressOf(env.incoming);
    },
  },
});

/** @returns the client of a read, evaluated lazily because most reads never need it */
export const callerOf = (exchange: Exchange, addressOf: AddressOf): Caller => {
  // Getters of each object would cost 2 µs.
  const caller: LazyCaller = Object.create(CALLER);
  caller.exchange = exchange;
  caller.addressOf = addressOf;
  return caller;
};
