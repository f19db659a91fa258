import type { HttpBindings } from '@hono/node-server';
import type { Caller } from '../../store/port.ts';
import type { Exchange } from '../context.ts';

/** @returns the address of the client that a request is from; `undefined` where it is not known */
export type AddressOf = (incoming: HttpBindings['incoming']) => string | undefined;

export const remoteAddress: AddressOf = ({ socket }) => socket?.remoteAddress;

/** @returns whom a read is for; worked out only where it is asked, because most reads are over before anybody asks */
export const callerOf = ({ req, env }: Exchange, addressOf: AddressOf): Caller => ({
  get signal() {
    return req.raw.signal;
  },
  get client() {
    return env?.incoming && addressOf(env.incoming);
  },
});
