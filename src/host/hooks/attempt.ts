/** Sends changes to a receiver once, as Standard Webhooks 1.0 says. */
import { createHmac, randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import manifest from '../../../package.json' with { type: 'json' };
import type { HookBatch, StoredHook } from '../../store/clients.ts';
import { publicLookup, refuseHost } from './addresses.ts';

/** Milliseconds until a receiver must have answered. */
const LIMIT = 15_000;
/** Milliseconds in which the rest of an answer must arrive. */
const REST = 1_000;
const PREFIX = 'whsec_';

export interface Answer {
  readonly status: number;
  /** Milliseconds. */
  readonly retryAfter: number | undefined;
}

export function createSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** @param seconds since 1970. @returns the value of `webhook-signature` */
function sign(secret: string, id: string, seconds: number, body: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** @returns the milliseconds of `Retry-After`: seconds, or a date (RFC 9110 §10.2.3) */
function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

/** Lets a receiver finish its response, which nobody looks at. */
function discardBody(request: ClientRequest, response: IncomingMessage): void {
  // A response that breaks off after its status has been answered.
  response.resume().on('error', () => {});
  const lateTimer = setTimeout(() => request.destroy(), REST);
  request.on('close', () => clearTimeout(lateTimer));
}

/** Sends a batch once. Redirects are not followed, and no proxy of the environment is used. @throws Error if the address is refused, or nobody answers in time */
export async function attempt(
  { url, secret }: Pick<StoredHook, 'url' | 'secret'>,
  { id, body }: Pick<HookBatch, 'id' | 'body'>,
  { reach, signal }: { readonly reach: 'public' | 'any'; readonly signal?: AbortSignal },
): Promise<Answer> {
  const target = new URL(url);
  const refusal = reach === 'public' ? refuseHost(target) : undefined;
  if (refusal) throw refusal;
  const now = Date.now();
  const seconds = Math.floor(now / 1_000);
  const limit = AbortSignal.timeout(LIMIT);
  const request = (target.protocol === 'https:' ? tlsRequest : plainRequest)(target, {
    method: 'POST',
    agent: false,
    ...(reach === 'public' ? { lookup: publicLookup } : {}),
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      'User-Agent': `${manifest.name}/${manifest.version}`,
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': sign(secret, id, seconds, body),
    },
  });
  let answer: Answer | undefined;
  let fault: Error | undefined;
  const readAnswer = ({ statusCode: status = 0, headers }: IncomingMessage): void => {
    answer = { status, retryAfter: readRetryAfter(headers['retry-after'], now) };
  };
  request.on('response', (response) => {
    readAnswer(response);
    discardBody(request, response);
  });
  request.on('upgrade', (response, socket) => {
    readAnswer(response);
    socket.destroy();
  });
  request.on('error', (error) => {
    fault = error;
  });
  request.end(body);
  // Every request ends with `close`. Until then the receiver has a connection, and is sent nothing else.
  await new Promise((resolve) => request.on('close', resolve));
  if (answer) return answer;
  throw limit.aborted ? new Error('no answer in time') : (fault ?? new Error('closed without an answer'));
}
