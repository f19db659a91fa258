import type { LoggedChange, ServedRequest } from './events.ts';

/** A line of the log, as it was written for programs. */
interface Line {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly cause?: string;
}

/** @returns client and address, each after a space */
const sender = (...known: readonly (string | undefined)[]): string =>
  known.map((each) => (each === undefined ? '' : ` ${each.replaceAll(/\p{Cc}/gu, '?')}`)).join('');

function requestText(served: ServedRequest): string {
  const { method, path, status = 'aborted', duration, bytes, requestId, client, address, wordsOf, fault } = served;
  if (fault !== undefined) return `not HTTP: ${fault} ${status}`;
  const took = duration === undefined ? '' : ` ${duration.toFixed(1)} ms`;
  const words = wordsOf === undefined ? '' : ` (words of ${wordsOf})`;
  return `${method} ${path} ${status}${took} ${bytes} B ${requestId}${sender(client, address)}${words}`;
}

function changeText(change: LoggedChange): string {
  const { action, collection, identifiers, revision, created, updated, deleted } = change;
  const { requestId, clientId, client, address } = change;
  const what = [collection, ...identifiers].join('/');
  const how = revision ?? `created ${created}, updated ${updated}, deleted ${deleted}`;
  const id = clientId === undefined || clientId === client ? '' : ` ${clientId}`;
  return `${action} ${what} ${how} ${requestId}${id}${sender(client, address)}`;
}

/** By the message of their lines for programs. */
const TEXTS: Readonly<Record<string, (line: ServedRequest & LoggedChange) => string>> = {
  request: requestText,
  change: changeText,
};

/**
 * @param json a line for programs
 * @returns the line for people; those of a cause follow it
 */
export function prettyLine(json: string): string {
  const line = JSON.parse(json) as Line & ServedRequest & LoggedChange;
  const { time, level, message, cause } = line;
  const detail = cause === undefined ? '' : `\n  ${cause.replaceAll('\n', '\n  ')}`;
  const text = TEXTS[message]?.(line) ?? `${message}${detail}`;
  return `${time} ${level.padEnd(5)} ${text}\n`;
}
