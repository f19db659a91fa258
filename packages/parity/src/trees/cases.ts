/** Requests that read, made from a document and from what answers hold, in the words of the second tree. */
import type { Random } from '../random.ts';
import { type Operation, type Parameter, readType } from './document.ts';
import type { Case, Trees } from './trees.ts';
import { makeValue } from './values.ts';

const UNKNOWN = ['zzzzzz', 'qqqqqqq', 'ñandú_zz'];
const WRONG_NUMBERS = ['x', '', '-1', '1.5', '0', '99999999999999999999'];

/** Kinds of cases in their order: what finds most comes more often. */
const TURNS = [
  ...['list or item', 'one parameter', 'one parameter', 'some parameters', 'one parameter', 'wrong query'],
  ...['some parameters', 'words of the other tree', 'wrong query', 'next page', 'one parameter', 'not modified'],
  ...['method', 'missing', 'one parameter', 'media type', 'credentials', 'words of the other tree'],
] as const;
type Kind = (typeof TURNS)[number];

/** An operation that reads, its parameters, and paths that lead to it. */
interface Target {
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly paths: readonly string[];
}

/** A case without its kind; nothing if an operation has none of a kind. */
type Draft = Omit<Case, 'kind'> | undefined;

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',');
}

export class CaseMaker {
  readonly #trees: Trees;
  readonly #random: Random;
  readonly #methods: ReadonlyMap<string, readonly string[]>;
  /** Counts parameters and media types, so that each has its turn. */
  readonly #turns = new Map<string, number>();

  constructor(trees: Trees, random: Random) {
    this.#trees = trees;
    this.#random = random;
    const byTemplate = Map.groupBy(trees.reader.operations, ({ template }) => template);
    this.#methods = new Map([...byTemplate].map(([template, all]) => [template, all.map(({ method }) => method)]));
  }

  /** @yields cases without an end, each kind of each operation in turn; nothing if no path leads to an operation */
  *make(): Iterable<Case> {
    const { operations, pool, words } = this.#trees;
    const targets = operations.flatMap((operation) => {
      const paths = pool.paths.get(operation.template) ?? [];
      const parameters = operation.parameters.filter(
        ({ in: place, name }) => place === 'query' && !words.skipped.has(name),
      );
      return operation.method === 'GET' && paths.length > 0 ? [{ operation, parameters, paths }] : [];
    });
    const makers: Readonly<Record<Kind, (target: Target) => Draft>> = {
      'list or item': (target) => this.#plain(target),
      'one parameter': (target) => this.#oneParameter(target),
      'some parameters': (target) => this.#someParameters(target),
      'wrong query': (target) => this.#wrongQuery(target),
      'words of the other tree': (target) => this.#foreign(target),
      'next page': (target) => this.#nextPage(target),
      'not modified': (target) => ({ ...this.#plain(target), follow: 'own tag' }),
      method: (target) => this.#method(target),
      missing: (target) => this.#missing(target),
      'media type': (target) => this.#mediaType(target),
      credentials: (target) => this.#withoutKey(target),
    };
    while (targets.length > 0) {
      for (const kind of TURNS) {
        for (const target of targets) {
          const draft = makers[kind](target);
          if (draft) yield this.#maybeOnList(target, { kind: `${target.operation.id}: ${kind}`, ...draft });
        }
      }
    }
  }

  /** A catalogue's lists do what there is beside them, too: a half of the cases go there. */
  #maybeOnList({ operation, paths }: Target, request: Case): Case {
    const list = operation.template.replace(/^(\/[^/]*)\/[^/]*(?=\/)/, '$1');
    const isBeside =
      list !== operation.template &&
      this.#methods.get(list)?.includes('GET') &&
      !operation.types.includes('text/event-stream');
    const { method, follow, url } = request;
    const isPlain = method === undefined && !follow && paths.includes(url.split('?')[0] ?? '');
    const isOnList = this.#trees.isCatalogue && isBeside && isPlain && this.#random.once(2);
    return isOnList ? { ...request, isOnList } : request;
  }

  #turn<T>(name: string, { operation }: Target, from: readonly T[]): T | undefined {
    const key = `${name} ${operation.id}`;
    const turn = this.#turns.get(key) ?? this.#random.below(Math.max(from.length, 1));
    this.#turns.set(key, turn + 1);
    return from[turn % from.length];
  }

  /** @returns a path with the parameters without which an operation is refused, and some more */
  #url(target: Target, optional: readonly Parameter[], more: readonly string[] = []): string {
    const required = target.parameters.filter((parameter) => parameter.isRequired && !optional.includes(parameter));
    const path = this.#random.pick(target.paths);
    const pairs = [...[...required, ...optional].flatMap((parameter) => this.#pairs(target, parameter)), ...more];
    return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
  }

  #plain(target: Target) {
    return { url: this.#url(target, []) };
  }

  #oneParameter(target: Target) {
    const parameter = this.#turn('parameter', target, target.parameters);
    // Links to other pages keep it, if there are any.
    const size = this.#random.once(2) ? this.#size(target) : undefined;
    const more = size && !size.startsWith(`${encodeURIComponent(parameter?.name ?? '')}=`) ? [size] : [];
    return parameter && { url: this.#url(target, [parameter], more) };
  }

  /** @returns a part of a query that asks for small pages; nothing if a list has none */
  #size({ parameters }: Target): string | undefined {
    const size = parameters.find(({ schema }) => readType(schema) === 'integer' && Number(schema.minimum ?? 1) >= 1);
    return size && `${encodeURIComponent(size.name)}=${1 + this.#random.below(3)}`;
  }

  #someParameters(target: Target) {
    const { parameters } = target;
    return parameters.length < 2 ? undefined : { url: this.#url(target, this.#random.some(parameters, 4)) };
  }

  #wrongQuery(target: Target) {
    const { parameters } = target;
    const unknown = this.#random.pick(UNKNOWN);
    const parameter = this.#turn('wrong', target, [...parameters, undefined]);
    if (!parameter) return { url: this.#url(target, [], [`${encodeURIComponent(unknown)}=1`]) };
    const isNumber = /integer|number|boolean/.test(readType(parameter.schema) ?? '');
    const value = this.#random.pick(isNumber ? WRONG_NUMBERS : ['', unknown, `${unknown},${unknown}`]);
    const pair = `${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`;
    const rest = this.#random.once(3) ? [this.#random.pick(parameters)] : [];
    const others = rest.filter((other) => other !== parameter);
    return { url: this.#url(target, others, this.#random.once(3) ? [pair, pair] : [pair]) };
  }

  #nextPage(target: Target): Draft {
    const size = this.#size(target);
    if (size === undefined) return undefined;
    // A next page keeps the parameters of the list.
    const parameter = this.#random.once(2) ? this.#turn('next', target, target.parameters) : undefined;
    const isOther = parameter && !size.startsWith(`${encodeURIComponent(parameter.name)}=`);
    return { url: this.#url(target, isOther ? [parameter] : [], [size]), follow: 'next' };
  }

  #method(target: Target) {
    const isPosted = this.#methods.get(target.operation.template)?.includes('POST');
    const methods = ['HEAD', 'OPTIONS', ...(isPosted ? [] : ['PROPFIND'])];
    return { ...this.#plain(target), method: this.#turn('method', target, methods) ?? 'HEAD' };
  }

  #missing(target: Target) {
    const path = this.#random.pick(target.paths);
    const isItem = target.operation.template.endsWith('}');
    const ends = isItem ? [/\/\d+$/.test(path) ? '99999999' : 'zz-1', 'zz', '%ZZ', ''] : ['zz-1/zzzz', 'zz', '%ZZ'];
    const base = isItem ? path.slice(0, path.lastIndexOf('/')) : path;
    return { url: `${base}/${this.#turn('missing', target, ends)}` };
  }

  #mediaType(target: Target) {
    const accept = this.#turn('media type', target, [...target.operation.types, 'image/png', '*/*']);
    return { ...this.#plain(target), headers: { accept: accept ?? '*/*' } };
  }

  #foreign(target: Target): Draft {
    const parameter = this.#turn('foreign', target, target.parameters);
    return parameter && { url: this.#url(target, [parameter]), isForeign: true };
  }

  /** Without what identifies the client, or with a wrong one. */
  #withoutKey(target: Target) {
    return { ...this.#plain(target), headers: { authorization: this.#random.pick(['', 'Bearer wrong']) } };
  }

  /** @returns pairs of a query that a parameter may be sent as */
  #pairs(target: Target, { name, schema, names, isExploded }: Parameter): readonly string[] {
    const { reader, pool, words } = this.#trees;
    const random = this.#random;
    const isList = readType(schema) === 'array';
    const write = (value: unknown): string => `${encode(name)}=${encode(String(value))}`;
    // A document in words may have names in its lists of names.
    const listed = reader.choices(schema).map(String);
    const written = listed.map((name) => (names.length === 0 || names.includes(name) ? name : words.toWord(name)));
    const choices = (written.length > 0 ? written : names).filter((word) => !words.skipped.has(word));
    if (choices.length > 0) {
      const some = random.some(choices, isList || Array.isArray(schema.anyOf) ? 3 : 1);
      if (isList && isExploded) return some.map(write);
      return [write(some.map((word) => (names.length > 0 && random.once(6) ? `-${word}` : word)).join())];
    }
    const values = pool.find(name);
    const value = values.length > 0 ? random.pick(values) : undefined;
    const type = readType(isList ? reader.resolve(schema.items) : schema);
    if (type === 'boolean') return [write(random.pick([true, false]))];
    if (type === 'integer' || type === 'number') {
      const least = Number(schema.minimum ?? 1);
      const some = least + random.below(Math.min(5, Number(schema.maximum ?? 9) - least + 1));
      return [write(typeof value === 'number' ? value : some)];
    }
    if (typeof value === 'string') {
      const list = (separator: string): string => `${write(value)}${separator}${encode(String(random.pick(values)))}`;
      const variants = [write(value), list(','), write(value.toLowerCase()), list('%2C'), write(value.toUpperCase())];
      return [this.#turn(`value ${name}`, target, variants) ?? write(value)];
    }
    if (value !== undefined) return [write(value)];
    // A search for a word of any text.
    const texts = [...pool.values.values()].flat().filter((value) => /\p{L}{3}/u.test(String(value)));
    const terms = texts.length > 0 ? String(random.pick(texts)).match(/\p{L}{3,}/gu) : null;
    return [write(terms && !schema.format ? random.pick(terms) : makeValue(reader, schema))];
  }
}
