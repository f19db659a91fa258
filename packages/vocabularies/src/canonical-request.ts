/** A request in the document's names, and the light requests and answers of a server. */
import type { Body } from './bodies.ts';
import type { HeaderList, RequestChanges } from './headers.ts';
import type { Vocabulary } from './nodes.ts';
import type { Context } from './texts.ts';
import { isObject } from './words.ts';

/** The symbols of members that a server hides in its light requests and answers, by their descriptions. */
const symbols = new Map<string, symbol>();

/** @returns the symbol of a hidden member; nothing if a request or an answer has none, as all but light ones */
function findSymbol(light: object, description: string): symbol | undefined {
  const known = symbols.get(description);
  if (known && known in light) return known;
  const own = [light, Object.getPrototypeOf(light)].flatMap(Object.getOwnPropertySymbols);
  const symbol = own.find((hidden) => hidden.description === description);
  if (symbol) symbols.set(description, symbol);
  return symbol;
}

/** An answer whose text is at hand and in no coding. */
interface LightAnswer {
  readonly text: string;
  readonly headers: HeaderList;
  /** Whether its headers are a list, in which one may stand several times. */
  readonly isList: boolean;
}

/**
 * A response of `@hono/node-server` keeps its text as it was given until somebody asks for a stream, which would take longer than
 * to exchange it.
 */
export function readLightAnswer(answer: Response): LightAnswer | undefined {
  const symbol = findSymbol(answer, 'cache');
  const [, text, given] = symbol ? Reflect.get(answer, symbol) : [];
  const isList = Array.isArray(given);
  if (typeof text !== 'string' || !(isList || isObject(given))) return undefined;
  const entries: HeaderList = isList ? given : given instanceof Headers ? [...given] : Object.entries(given as object);
  const headers = entries.map(([name, value]): HeaderList[number] => [name.toLowerCase(), String(value)]);
  const isPlain = headers.every(([name]) => (isList || name !== 'set-cookie') && name !== 'content-encoding');
  return isPlain ? { text, headers, isList } : undefined;
}

export interface CanonicalInit {
  readonly original: Request;
  readonly url: string;
  readonly changes: RequestChanges;
  readonly body: Body | null;
  /** How its answer is translated. */
  readonly context: Context | undefined;
}

/** @returns a request in the document's names; a light one, if the server has made a light one */
export function createCanonical(init: CanonicalInit): Request {
  const unwrap = findSymbol(init.original, 'getRequestCache');
  if (!unwrap) return createReal(init);
  const { prototype } = LightRequest;
  // A server may put a class of its own in place of the global one.
  if (!(prototype instanceof Request)) Object.setPrototypeOf(prototype, Request.prototype);
  // By this the server's own `Request` makes a copy of it.
  if (!Object.hasOwn(prototype, unwrap)) Object.defineProperty(prototype, unwrap, { value: readReal });
  return new LightRequest(init) as never;
}

function readReal(this: LightRequest): Request {
  return this.real;
}

export function findContext(request: Request & { readonly init?: CanonicalInit }): Context | undefined {
  return request.init?.context;
}

/** @returns the vocabulary in which a request came, for whoever answers it; nothing if it is in the document's own names */
export function findVocabulary(request: Request): Vocabulary | undefined {
  return findContext(request)?.vocabulary;
}

function createReal(init: CanonicalInit): Request {
  const { original, url, changes, body } = init;
  const { method, headers } = original;
  const duplex = body instanceof ReadableStream ? { duplex: 'half' } : {};
  const request = new Request(url, { method, headers, body, ...duplex } as RequestInit);
  for (const [name, value] of changes) {
    if (value === null) request.headers.delete(name);
    else request.headers.set(name, value);
  }
  // It is aborted with the other one. To follow its signal takes longer than all the rest, and few look at it.
  Object.defineProperty(request, 'signal', { get: () => original.signal });
  return Object.assign(request, { init });
}

/** The headers of a request with changes; they are copied only if more is asked for than a value. */
class LightHeaders {
  readonly #request: LightRequest;

  constructor(request: LightRequest) {
    this.#request = request;
  }

  get real(): Headers {
    return this.#request.real.headers;
  }

  get(name: string): string | null {
    if (this.#request.isReal) return this.real.get(name);
    const { original, changes } = this.#request.init;
    const change = changes.get(name.toLowerCase());
    return change === undefined ? original.headers.get(name) : change;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }
}

/** As `@hono/node-server` does it with its own: a real request is made only if more is asked for than these. */
class LightRequest {
  readonly init: CanonicalInit;
  readonly headers = new LightHeaders(this);
  #real: Request | undefined;

  constructor(init: CanonicalInit) {
    this.init = init;
  }

  get isReal(): boolean {
    return this.#real !== undefined;
  }

  get real(): Request {
    this.#real ??= createReal(this.init);
    return this.#real;
  }

  get url(): string {
    return this.init.url;
  }

  get method(): string {
    return this.init.original.method;
  }

  get signal(): AbortSignal {
    return this.init.original.signal;
  }
}

/** @returns the names of all members of a prototype, those that it inherits from another class included */
function listMembers(prototype: object): readonly PropertyKey[] {
  const base: object | null = Object.getPrototypeOf(prototype);
  return base === null ? [] : [...Reflect.ownKeys(prototype), ...listMembers(base)];
}

/** Has a light object ask its real one for whatever it does not have itself. */
function delegate(light: { readonly prototype: object }, real: object): void {
  for (const name of listMembers(real)) {
    if (Object.hasOwn(light.prototype, name) || name === 'headers') continue;
    const get = function (this: { readonly real: object }): unknown {
      const value = Reflect.get(this.real, name, this.real);
      return typeof value === 'function' ? value.bind(this.real) : value;
    };
    Object.defineProperty(light.prototype, name, { get });
  }
  Object.setPrototypeOf(light.prototype, real);
}
delegate(LightHeaders, Headers.prototype);
delegate(LightRequest, Request.prototype);
