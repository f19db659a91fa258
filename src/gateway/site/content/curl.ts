import type { HeaderRecord } from '../../http/headers.ts';

/** A request that a page shows as a command. */
export interface ShownRequest {
  readonly method?: 'POST' | 'PUT' | 'DELETE';
  /** Path and query. */
  readonly target: string;
  readonly headers?: HeaderRecord;
  readonly body?: string;
}

/** Quotes a text for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export const indented = (json: unknown): string => JSON.stringify(json, null, 2);

/**
 * @param origin scheme and host of the service
 * @returns the command that sends a request
 */
export const curl = (origin: string, { method, target, headers = {}, body }: ShownRequest): string =>
  [
    `curl ${method === undefined ? '' : `-X ${method} `}${quoted(origin + target)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
