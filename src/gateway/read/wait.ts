/** The preference `wait` (RFC 7240 §4.3): how long a client waits for something to tell. */
import { PREFER_HEADER } from '../http/headers.ts';
import { preferencesIn, textOfHeader } from './prefer.ts';

/** Seconds: a connection without any byte is closed after 30 (`IDLE_TIMEOUT`). */
const MOST = 25;

/** @returns seconds to wait; 0 where the client does not want to, or says it in another way */
export const waitIn = (headers: Headers): number => {
  const sent = headers.get(PREFER_HEADER);
  if (sent === null) return 0;
  const value = preferencesIn(textOfHeader(sent))?.find(({ name }) => name === 'wait')?.value ?? '';
  return /^\d{1,9}$/.test(value) ? Math.min(Number(value), MOST) : 0;
};
