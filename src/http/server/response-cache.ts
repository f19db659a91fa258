import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CacheableResponse, Dependency } from '../context.ts';
import { idFrom, REQUEST_ID_HEADER, REQUEST_ID_KEY } from '../headers.ts';

/** Responses as written text, sent again as long as the database is the version that they tell of. */
export interface ResponseCache {
  /** Sends the response to a request, where it is here. @returns whether it was */
  readonly serve: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** @returns what takes the response that is about to be made, now or later; `undefined` where it is not worth keeping */
  readonly recorder: (incoming: Request) => ((response: CacheableResponse) => void) | undefined;
}

type Request = Parameters<Dependency>[0];

interface Entry {
  readonly text: string;
  /** Names and values by turns, as Node writes them out; the request's id is put in before each time. */
  readonly headers: string[];
  readonly idAt: number;
}

/** The responses of one address. */
interface Resource {
  /** What tells them apart, as their handler has said. */
  readonly dependsOn: CacheableResponse['dependsOn'];
  readonly entries: Map<string, Entry>;
  size: number;
}

/** Characters in all, and of one response. */
const ROOM = 8_388_608;
const LARGEST = 65_536;
/** Characters that a response takes beside its text. */
const OVERHEAD = 1_024;

/** Addresses that are remembered, by a power of two. */
const REMEMBERED = 16_384;

/**
 * Tells whether an address was asked for not long ago. Most are asked for once, and caching their responses would cost more
 * than it saves.
 */
const memory = (): ((target: string) => boolean) => {
  const hashes = new Int32Array(REMEMBERED);
  return (target) => {
    // FNV-1a
    let hash = 0x811c9dc5;
    for (let at = 0; at < target.length; at++) hash = Math.imul(hash ^ target.charCodeAt(at), 0x01000193);
    const place = hash & (REMEMBERED - 1);
    if (hashes[place] === hash) return true;
    hashes[place] = hash;
    return false;
  };
};

const entryOf = ({ text, headers }: CacheableResponse): Entry => {
  const fields = Object.entries({ ...headers, 'Content-Length': String(Buffer.byteLength(text)) }).flat();
  return { text, headers: fields, idAt: fields.indexOf(REQUEST_ID_HEADER) + 1 };
};

/** @returns which of the responses of an address a request gets; `undefined` where only the handler can tell */
const variantOf = (dependsOn: CacheableResponse['dependsOn'], incoming: Request): string | undefined => {
  let variant: string | undefined;
  for (const dependency of dependsOn) {
    const part = dependency(incoming);
    if (part === undefined) return undefined;
    // No part holds a line break: each comes from a header.
    variant = variant === undefined ? part : `${variant}\n${part}`;
  }
  return variant ?? '';
};

/** @returns whether a request may be answered with the whole of what is at its address */
const isUnconditional = ({ method, headers }: Request): boolean =>
  method === 'GET' && headers['if-none-match'] === undefined && headers['if-match'] === undefined;

/**
 * No response is older than the database: its version is looked at before a response is made, and again each time before it
 * is sent. What a response depends on beside that, and so which requests get it, its handler says (`CacheableResponse`).
 *
 * @param dataVersion a number that is another one after every commit, or `undefined` where that is not known
 */
export const responseCache = (dataVersion: () => number | undefined): ResponseCache => {
  /** All of one version, oldest first. */
  const resources = new Map<string, Resource>();
  const isAskedAgain = memory();
  let version: number | undefined;
  let room = ROOM;

  const look = (): void => {
    const now = dataVersion();
    if (now === version) return;
    resources.clear();
    room = ROOM;
    version = now;
  };
  const makeRoom = (): void => {
    for (const [target, { size }] of resources) {
      if (room >= 0) return;
      resources.delete(target);
      room += size;
    }
  };
  const add = (target: string, incoming: Request, response: CacheableResponse): void => {
    const { dependsOn } = response;
    const variant = variantOf(dependsOn, incoming);
    if (variant === undefined) return;
    const known = resources.get(target);
    const resource = known?.dependsOn === dependsOn ? known : { dependsOn, entries: new Map(), size: 0 };
    if (resource.entries.has(variant)) return;
    const size = target.length + response.text.length + OVERHEAD;
    resource.entries.set(variant, entryOf(response));
    resource.size += size;
    resources.set(target, resource);
    room -= size;
    makeRoom();
  };

  return {
    serve: (incoming, outgoing) => {
      if (!isUnconditional(incoming)) return false;
      look();
      const resource = resources.get(incoming.url ?? '');
      const variant = resource && variantOf(resource.dependsOn, incoming);
      const entry = variant === undefined ? undefined : resource?.entries.get(variant);
      if (!entry) return false;
      entry.headers[entry.idAt] = idFrom(incoming.headers[REQUEST_ID_KEY]);
      outgoing.writeHead(200, entry.headers).end(entry.text);
      return true;
    },
    recorder: (incoming) => {
      const target = incoming.url ?? '';
      if (!isUnconditional(incoming) || !isAskedAgain(target)) return undefined;
      const before = version;
      return (response) => {
        // One that tells of a later version than it is kept under will never be found; one of an earlier version is not kept.
        if (version === undefined || version !== before || response.text.length > LARGEST) return;
        add(target, incoming, response);
      };
    },
  };
};
