import type { HttpBindings } from '@hono/node-server';
import type { Caller } from '../../store/port.ts';
import type { Exchange } from '../context.ts';

/** @returns the address of a request's client; `undefined` where it is unknown */
export type AddressOf = (incoming: HttpBindings['incoming']) => string | undefined;

export const remoteAddress: AddressOf = ({ socket }) => socket?.remoteAddress;

/** @returns the client of a read, evaluated lazily because most reads never need it */
export const callerOf = ({ req, env }: Exchange, addressOf: AddressOf): Caller => ({
  get signal() {
    return req.raw.signal;
  },
  get client() {
    return env?.incoming && addressOf(env.incoming);
  },
});
