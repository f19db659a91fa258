import type { Caller } from '../../store/port.ts';
import type { Exchange } from '../context.ts';

/** @returns whom a read is for; worked out only where it is asked, because most reads are over before anybody asks */
export const callerOf = ({ req, env }: Exchange): Caller => ({
  get signal() {
    return req.raw.signal;
  },
  get client() {
    return env?.incoming?.socket?.remoteAddress;
  },
});
