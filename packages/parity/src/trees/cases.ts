/** Requests that read, made from a document and from what answers hold, in the words of the second tree. */
import type { Operation, Parameter } from '../../../vocabularies/src/document.ts';
import type { Random } from '../random.ts';
import { listTypes, readType } from './document.ts';
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

/** What cases are made with. */
interface Maker {
  readonly trees: Trees;
  readonly random: Random;
  /** Methods by templates. */
  readonly methods: ReadonlyMap<string, readonly string[]>;
  /** Counts parameters and media types, so that each has its turn. */
  readonly turns: Map<string, number>;
}

/** An operation that reads, its parameters, and paths that lead to it. */
interface Target {
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly paths: readonly string[];
}

/** A case without its kind; nothing if an operation has none of a kind. */
type Make = (maker: Maker, target: Target) => Omit<Case, 'kind'> | undefined;

/** @yields so many cases, each kind of each operation in turn; nothing if no path leads to an operation */
export function* makeCases(trees: Trees, random: Random, count: number): Iterable<Case> {
  const groups = Map.groupBy(trees.reader.operations, ({ template }) => template);
  const methods = new Map(Array.from(groups, ([template, all]) => [template, all.map(({ method }) => method)]));
  const maker = { trees, random, methods, turns: new Map<string, number>() };
  const targets = trees.operations.flatMap((operation) => {
    const paths = trees.pool.paths.get(operation.template) ?? [];
    const parameters = operation.parameters.filter(
      (parameter) => parameter.in === 'query' && !trees.words.skipped.has(parameter.name),
    );
    return operation.method === 'GET' && paths.length > 0 ? [{ operation, parameters, paths }] : [];
  });
  for (let made = 0; targets.length > 0; ) {
    for (const kind of TURNS) {
      for (const target of targets) {
        const draft = MAKERS[kind](maker, target);
        if (draft && made++ === count) return;
        if (draft) yield maybeOnList(maker, target, { kind: `${target.operation.id}: ${kind}`, ...draft });
      }
    }
  }
}

/** A catalogue's lists do what there is beside them, too: a half of the cases go there. */
function maybeOnList({ trees, random, methods }: Maker, { operation, paths }: Target, request: Case): Case {
  const { template } = operation;
  const list = template.replace(/^(\/[^/]*)\/[^/]*(?=\/)/, '$1');
  const isRead = methods.get(list)?.includes('GET') && !listTypes(operation).includes('text/event-stream');
  const { method, follow, url } = request;
  const isPlain = method === undefined && !follow && paths.includes(url.split('?')[0] ?? '');
  const isOnList = trees.isCatalogue && list !== template && isRead && isPlain && random.once(2);
  return isOnList ? { ...request, isOnList } : request;
}

/** @returns the next one of several; which is the first is chosen at random */
function takeTurn<T>({ turns, random }: Maker, name: string, { operation }: Target, from: readonly T[]): T | undefined {
  const key = `${name} ${operation.id}`;
  const turn = turns.get(key) ?? random.below(Math.max(from.length, 1));
  turns.set(key, turn + 1);
  return from[turn % from.length];
}

/** @returns a path with the parameters without which an operation is refused, and some more */
function makeUrl(maker: Maker, target: Target, optional: readonly Parameter[], ...more: readonly string[]): string {
  const required = target.parameters.filter((each) => each.source.required === true && !optional.includes(each));
  const path = maker.random.pick(target.paths);
  const pairs = [...required, ...optional].flatMap((parameter) => makePairs(maker, target, parameter));
  return [path, [...pairs, ...more].join('&')].filter((part) => part !== '').join('?');
}

function makePlain(maker: Maker, target: Target) {
  return { url: makeUrl(maker, target, []) };
}

/** @returns a part of a query that asks for small pages; nothing if a list has none */
function makeSize({ random, trees }: Maker, { parameters }: Target): string | undefined {
  const size = parameters.find((parameter) => {
    const schema = trees.reader.resolve(parameter.schema);
    return readType(schema) === 'integer' && Number(schema.minimum ?? 1) >= 1;
  });
  return size && `${encodeURIComponent(size.name)}=${1 + random.below(3)}`;
}

function isOfParameter(pair: string, parameter: Parameter | undefined): boolean {
  return pair.split('=')[0] === encodeURIComponent(parameter?.name ?? '');
}

/** What makes the cases of each kind. */
const MAKERS: Readonly<Record<(typeof TURNS)[number], Make>> = {
  'list or item': makePlain,
  'one parameter': (maker, target) => {
    const parameter = takeTurn(maker, 'parameter', target, target.parameters);
    // Links to other pages keep it, if there are any.
    const size = maker.random.once(2) ? makeSize(maker, target) : undefined;
    const more = size === undefined || isOfParameter(size, parameter) ? [] : [size];
    return parameter && { url: makeUrl(maker, target, [parameter], ...more) };
  },
  'some parameters': (maker, target) => {
    const { parameters } = target;
    return parameters.length < 2 ? undefined : { url: makeUrl(maker, target, maker.random.some(parameters, 4)) };
  },
  'wrong query': (maker, target) => {
    const { parameters } = target;
    const { random, trees } = maker;
    const unknown = random.pick(UNKNOWN);
    const parameter = takeTurn(maker, 'wrong', target, [...parameters, undefined]);
    if (!parameter) return { url: makeUrl(maker, target, [], `${encodeURIComponent(unknown)}=1`) };
    const isNumber = /integer|number|boolean/.test(readType(trees.reader.resolve(parameter.schema)) ?? '');
    const value = random.pick(isNumber ? WRONG_NUMBERS : ['', unknown, `${unknown},${unknown}`]);
    const pair = `${encodeURIComponent(parameter.name)}=${encodeURIComponent(value)}`;
    const rest = random.once(3) ? [random.pick(parameters)] : [];
    const others = rest.filter((other) => other !== parameter);
    return { url: makeUrl(maker, target, others, pair, ...(random.once(3) ? [pair] : [])) };
  },
  'words of the other tree': (maker, target) => {
    const parameter = takeTurn(maker, 'foreign', target, target.parameters);
    return parameter && { url: makeUrl(maker, target, [parameter]), isForeign: true };
  },
  'next page': (maker, target) => {
    const size = makeSize(maker, target);
    if (size === undefined) return undefined;
    // A next page keeps the parameters of the list.
    const parameter = maker.random.once(2) ? takeTurn(maker, 'next', target, target.parameters) : undefined;
    const optional = parameter && !isOfParameter(size, parameter) ? [parameter] : [];
    return { url: makeUrl(maker, target, optional, size), follow: 'next' };
  },
  'not modified': (maker, target) => ({ ...makePlain(maker, target), follow: 'own tag' }),
  method: (maker, target) => {
    const isPosted = maker.methods.get(target.operation.template)?.includes('POST');
    const methods = ['HEAD', 'OPTIONS', ...(isPosted ? [] : ['PROPFIND'])];
    return { ...makePlain(maker, target), method: takeTurn(maker, 'method', target, methods) ?? 'HEAD' };
  },
  missing: (maker, target) => {
    const path = maker.random.pick(target.paths);
    const isItem = target.operation.template.endsWith('}');
    const ends = isItem ? [/\/\d+$/.test(path) ? '99999999' : 'zz-1', 'zz', '%ZZ', ''] : ['zz-1/zzzz', 'zz', '%ZZ'];
    const base = isItem ? path.slice(0, path.lastIndexOf('/')) : path;
    return { url: `${base}/${takeTurn(maker, 'missing', target, ends)}` };
  },
  'media type': (maker, target) => {
    const accept = takeTurn(maker, 'media type', target, [...listTypes(target.operation), 'image/png', '*/*']);
    return { ...makePlain(maker, target), headers: { accept: accept ?? '*/*' } };
  },
  /** Without what identifies the client, or with a wrong one. */
  credentials: (maker, target) => {
    return { ...makePlain(maker, target), headers: { authorization: maker.random.pick(['', 'Bearer wrong']) } };
  },
};

/** @returns pairs of a query that a parameter may be sent as */
function makePairs(maker: Maker, target: Target, parameter: Parameter): readonly string[] {
  const { random, trees } = maker;
  const { reader, pool, words } = trees;
  const { name, explode, style } = parameter;
  const schema = reader.resolve(parameter.schema);
  const names = reader.listNames(parameter);
  const isList = readType(schema) === 'array';
  const encode = (part: string): string => encodeURIComponent(part).replaceAll('%2C', ',');
  const write = (value: unknown): string => `${encode(name)}=${encode(String(value))}`;
  // A document in words may have names in its lists of names.
  const listed = reader.choices(schema).map(String);
  const written = listed.map((choice) =>
    names.length === 0 || names.includes(choice) ? choice : words.toWord(choice),
  );
  const choices = (written.length > 0 ? written : names).filter((word) => !words.skipped.has(word));
  if (choices.length > 0) {
    const some = random.some(choices, isList || Array.isArray(schema.anyOf) ? 3 : 1);
    if (isList && explode && style === 'form') return some.map(write);
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
    return [takeTurn(maker, `value ${name}`, target, variants) ?? write(value)];
  }
  if (value !== undefined) return [write(value)];
  // A search for a word of any text.
  const texts = [...pool.values.values()].flat().filter((text) => /\p{L}{3}/u.test(String(text)));
  const terms = texts.length > 0 ? String(random.pick(texts)).match(/\p{L}{3,}/gu) : null;
  return [write(terms && !schema.format ? random.pick(terms) : makeValue(reader, schema))];
}
