import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below those that systems give to whoever names none, so that nobody is given one before its server listens; and above those to
 * which no browser connects (https://fetch.spec.whatwg.org/#port-blocking).
 */
const LEAST = 11_000;
const COUNT = 20_000;
/** Another process begins somewhere else. */
let tried = Math.floor(Math.random() * COUNT);

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  if (!(await listening)) return false;
  server.close();
  await once(server, 'close');
  return true;
};

/** @returns a port of 127.0.0.1 on which nobody listens, and which no other test is given */
export const freePort = async (): Promise<number> => {
  for (;;) {
    tried = (tried + 1) % COUNT;
    const port = LEAST + tried;
    if (await isFree(port)) return port;
  }
};
