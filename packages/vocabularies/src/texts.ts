/** Exchanges texts by what their places hold: a listed value, names, a pointer, an address, the parameters of a query. */
import { decodeUri, type Operation, placeWithin, readEntries, readPointer } from './document.ts';
import { type Direction, LOCATIONS, type Node, type Term, type Vocabulary } from './nodes.ts';
import { scanWhole } from './scan.ts';
import { compose } from './words.ts';

/** A word that belongs to another vocabulary. */
export interface ForeignWord {
  readonly kind: 'member' | 'value' | 'parameter' | 'path';
  /** A pointer into the body, or the name of a parameter. */
  readonly place: string;
  readonly word: string;
  readonly suggestion: string;
}

/** What is exchanged into what, and for which request. */
export interface Context {
  readonly vocabulary: Vocabulary;
  readonly direction: Direction;
  readonly operation?: Operation | undefined;
  /** The body of the request, into which pointers point. */
  readonly body?: Node | undefined;
  /** Called for each word of another vocabulary; absent if nobody judges them. */
  readonly report?: ((foreign: ForeignWord) => void) | undefined;
  /** Exchanges an address of the API; another one stays. */
  readonly exchangeAddress?: ((address: string) => string) | undefined;
  /** What replaces the texts of a problem, by their pointers. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** What the objects and arrays are that a problem repeats of what was sent, by their pointers. */
  readonly sent?: ReadonlyMap<string, Node> | undefined;
}

/** The name of a parameter, or a pointer into a body; made only if somebody asks, because bodies may be deep. */
type Place = string | (() => string);

/** Exchanges a part of a text; in a query it is encoded. */
type Recode = (raw: string, exchange: (text: string) => string) => string;

export function findTerm({ direction }: Context, node: Node | undefined, text: string): Term | undefined {
  return node?.members[direction].get(direction === 'in' ? compose(text) : text);
}

/** Exchanges a text by what it holds. A word of another vocabulary is reported. */
export function exchangeText(context: Context, node: Node, text: string, place: Place): string {
  if (node.holds === 'names') return exchangeNames(context, node, text, place, (raw, exchange) => exchange(raw));
  if (node.holds === 'reference' || (node.holds === 'address' && /^(\/|[a-z][a-z0-9+.-]*:)/i.test(text)))
    return context.exchangeAddress?.(text) ?? text;
  if (node.holds === 'pointer') return exchangePointer(context, text);
  if (node.holds === 'request') return exchangeQuoted(context, text);
  const term = node.values[context.direction].get(context.direction === 'in' ? compose(text) : text);
  if (term?.suggestion !== undefined) reportValue(context, place, text, term.suggestion);
  return term?.to ?? text;
}

function reportValue({ report }: Context, place: Place, word: string, suggestion: string): void {
  report?.({ kind: 'value', place: typeof place === 'string' ? place : place(), word, suggestion });
}

/** What stands between names in a text that holds several. */
const BETWEEN_NAMES = /(%(?:2[01B8C9]|3[A-E]|7[CE])|[,|;:+()\s=<>!~])/i;
/** What stands between the steps of a path. */
const BETWEEN_STEPS = /(__|[./[\]])/;

/** Exchanges a list of names, each with or without a sign, a path such as `owner.name`, or an expression such as `kind eq 'sail'`. */
function exchangeNames(context: Context, { scope }: Node, raw: string, place: Place, recode: Recode): string {
  const foreign = { isFound: false };
  /** What the last name means, whose value what is no name may be. */
  let last: Node | undefined;
  const exchange = (text: string): string => {
    const [, sign = '', name = ''] = /^(-?)(.*)$/s.exec(text) ?? [];
    const steps = findTerm(context, scope, name) ? [name] : name.split(BETWEEN_STEPS);
    const node = steps.reduce((from: Node | undefined, step) => followStep(context, from, step, true).node, scope);
    const value = node ? undefined : last;
    last = node ?? last;
    if (value) return text.replace(/[^'"]+/, (word) => exchangeText(context, value, word, place));
    return sign + exchangePath(context, scope, steps, foreign).join('');
  };
  const words = raw
    .split(BETWEEN_NAMES)
    .map((token, at) => (at % 2 === 1 || token === '' ? token : recode(token, exchange)))
    .join('');
  if (foreign.isFound) reportValue(context, place, decode(raw), decode(words));
  return words;
}

/** Exchanges the steps of a path from one member to the next; other steps stay. Of foreign words the right ones are written. */
export function exchangePath(
  context: Context,
  start: Node | undefined,
  steps: readonly string[],
  foreign?: { isFound: boolean },
): readonly string[] {
  let node = start;
  return steps.map((step) => {
    const next = followStep(context, node, step, foreign !== undefined);
    node = next.node;
    const { to = step, suggestion } = next.term ?? {};
    if (suggestion === undefined || !foreign) return to;
    foreign.isFound = true;
    return suggestion;
  });
}

interface Step {
  readonly node: Node | undefined;
  readonly term?: Term | undefined;
}

/** @returns what a step from a node leads to, which may be a position in a list or a separator, and the name that it is */
function followStep(context: Context, from: Node | undefined, step: string, isName = false): Step {
  let node = from;
  // What a list holds may be a list of the same kind again.
  for (const seen = new Set<Node>(); node?.items && node.members.out.size === 0 && !seen.has(node); node = node.items)
    seen.add(node);
  if (/^(__|[./[\]]?|[*-])$/.test(step) || (/^\[?\d+\]?$/.test(step) && !node?.rest)) return { node };
  const term = findTerm(context, node, step);
  const tag = term || isName ? undefined : findValue(context, node, step);
  if (tag) return { term: tag, node };
  // FastAPI writes the schema of a union as a step of its own.
  const isSchema = !term && !isName && context.vocabulary.hasSchema(step);
  return { term, node: term ? term.node : (node?.findRest(step) ?? (isSchema ? node : undefined)) };
}

/** @returns a value that a member lists: FastAPI writes that of a discriminator as a step of its own */
function findValue({ direction }: Context, node: Node | undefined, text: string): Term | undefined {
  const members = [...(node?.members[direction].values() ?? [])];
  return members.map((member) => member.node?.values[direction].get(text)).find((term) => term !== undefined);
}

export function exchangePointer(context: Context, text: string): string {
  const [start = ''] = text.split('/', 1);
  return placeWithin(start, ...exchangePath(context, context.body, readPointer(text)));
}

/** Finds in a JSON Patch (RFC 6902) what its pointers become, and what stands at them. */
export function readPatch(context: Context, patch: unknown): Pick<Context, 'texts' | 'sent'> {
  const [texts, sent] = [new Map<string, string>(), new Map<string, Node>()];
  for (const [at, operation] of readEntries(patch)) {
    for (const [name, pointer] of Object.entries(operation)) {
      if (!/^(path|from)$/.test(name) || typeof pointer !== 'string') continue;
      const [place, foreign] = [`/${at}/${name}`, { isFound: false }];
      const words = placeWithin('', ...exchangePath(context, context.body, readPointer(pointer), foreign));
      if (!foreign.isFound) texts.set(place, words);
      else reportValue(context, place, pointer, words);
      const node = findLocation(context, readPointer(pointer));
      if (node && name === 'path') sent.set(`/${at}/value`, node);
    }
  }
  return { texts, sent };
}

/** The parts of a request with which a path may begin. */
const PART = /^(body|json|form|(query|path|header|cookie|param))$/;

/** Exchanges a path as zod and FastAPI write it: names and positions, after the part of the request that has them. */
export function exchangeLocation(context: Context, steps: readonly string[]): readonly string[] {
  const [part = '', ...rest] = steps;
  const [isPart, , isParameter] = PART.exec(part) ?? [];
  if (isPart && !isParameter) return [part, ...exchangePath(context, context.body, rest)];
  if (isPart && rest.length > 0) return [part, exchangeParameter(context, rest[0] ?? ''), ...rest.slice(1)];
  const inBody = exchangePath(context, context.body, steps);
  return inBody[0] === part ? [exchangeParameter(context, part), ...inBody.slice(1)] : inBody;
}

/** @returns what stands at such a path */
export function findLocation(context: Context, steps: readonly string[]): Node | undefined {
  const names = PART.test(steps[0] ?? '') ? steps.slice(1) : steps;
  const inBody = names.reduce((node: Node | undefined, step) => followStep(context, node, step).node, context.body);
  const parameter = findParameter(context, names[0] ?? '')?.node;
  return inBody ?? parameter?.items ?? parameter;
}

function findParameter(context: Context, name: string): Term | undefined {
  const { operation, vocabulary } = context;
  const nodes = LOCATIONS.map((location) => operation && vocabulary.findParameters(operation, location));
  return nodes.map((node) => findTerm(context, node, name)).find((term) => term !== undefined);
}

/** Exchanges the name of a parameter. */
export function exchangeParameter(context: Context, name: string): string {
  const { operation, vocabulary } = context;
  const known = findParameter(context, name)?.to;
  if (known !== undefined || !operation || !name.includes('[')) return known ?? name;
  const query = vocabulary.findParameters(operation, 'query');
  return exchangeEncoded(name, encodeURI, (raw) => exchangePair(context, query, raw));
}

/** Exchanges anything that a client may have sent: an address, a part of a query, a name or a value. */
function exchangeQuoted(context: Context, text: string): string {
  const { operation, vocabulary, direction } = context;
  if (text.startsWith('/')) return context.exchangeAddress?.(text) ?? text;
  if (!operation) return text;
  const query = vocabulary.findParameters(operation, 'query');
  if (text.includes('=')) return exchangeEncoded(text, encodeURI, (raw) => exchangePairs(context, query, raw));
  const [name = text] = exchangeLocation(context, [text]);
  if (name !== text) return name;
  // What stands in it is quoted, so nothing of it is judged.
  const quiet = { vocabulary, direction };
  const values = [...query.members[direction].values()].map(
    ({ node }) => node && exchangeText(quiet, node.items ?? node, text, ''),
  );
  return values.find((value) => value !== undefined && value !== text) ?? text;
}

/** @returns a part of a query decoded */
function decode(raw: string): string {
  return decodeUri(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
}

/** Exchanges a text as it would stand in an address, where half a surrogate pair cannot; what stays is as it was. */
function exchangeEncoded(text: string, encode: (text: string) => string, exchange: (raw: string) => string): string {
  const raw = encode(text.toWellFormed());
  const words = exchange(raw);
  return words === raw ? text : decodeUri(words);
}

/** Exchanges one token of a query; what stays the same is left as it was written. */
function recodeQuery(raw: string, exchange: (text: string) => string): string {
  const text = decode(raw);
  const newText = exchange(text);
  return newText === text ? raw : encodeURIComponent(newText.toWellFormed());
}

/**
 * Exchanges the names and values of a query or a form as they stand there: encoded, repeated and in every style.
 *
 * @param others has the names that `node` does not have
 */
export function exchangePairs(context: Context, node: Node, text: string, others = node): string {
  const pairs = text.split('&').map((pair) => {
    const newPair = exchangePair(context, node, pair);
    return newPair === pair && others !== node ? exchangePair(context, others, pair) : newPair;
  });
  return pairs.join('&');
}

/** Exchanges cookies. A browser sends them by itself and cannot mend them: one with a word of another vocabulary is left out, not refused. */
export function exchangeCookies(context: Context, node: Node, cookies: string): string {
  const pairs = cookies.split(/;\s*/).flatMap((pair) => {
    const foreign: ForeignWord[] = [];
    const report = context.report && ((word: ForeignWord) => foreign.push(word));
    const own = exchangePair({ ...context, report }, node, pair);
    return foreign.length > 0 ? [] : own;
  });
  return pairs.join('; ');
}

/** Exchanges a name and its value. Names in brackets, as in `filter[price][gte]`, are those of members, unless all of it is one name. */
function exchangePair(context: Context, start: Node, pair: string): string {
  const equals = pair.indexOf('=');
  const rawName = equals === -1 ? pair : pair.slice(0, equals);
  const word = decode(rawName);
  let node: Node | undefined = start;
  let parameter: Term['parameter'];
  const right = findTerm(context, start, word) ? [rawName] : rawName.split(/(\[|\]|%5B|%5D)/i);
  let isForeign = false;
  const steps = right.map((step, at) => {
    if (at % 2 === 1 || step === '') return step;
    const scope = node?.holds === 'names' ? node.scope : node;
    const term = findTerm(context, scope, decode(step));
    node = term ? term.node : (scope?.findRest(decode(step)) ?? scope?.items);
    parameter = term?.parameter;
    isForeign ||= term?.suggestion !== undefined;
    right[at] = term?.suggestion === undefined ? step : encodeURIComponent(term.suggestion);
    return recodeQuery(step, (name) => term?.to ?? name);
  });
  if (isForeign) {
    context.report?.({ kind: 'parameter', place: word, word, suggestion: decode(right.join('')) });
    return pair;
  }
  const name = steps.join('');
  return equals === -1 ? name : `${name}=${exchangeValue(context, pair.slice(equals + 1), node, parameter, word)}`;
}

/** Exchanges JSON where other values are text, which may be one item of a list that is sent in several parts. */
export function exchangeJson(context: Context, node: Node, text: string, place: string): string {
  const isItem = text.trimStart().startsWith('{') && node.members.out.size === 0;
  const report = (foreign: ForeignWord): void => context.report?.({ ...foreign, place: place + foreign.place });
  return scanWhole(isItem ? (node.items ?? node) : node, { ...context, report }, text) ?? text;
}

const COMMA = /(,|%2C)/i;
const SEPARATORS: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /(\+|%20|,|%2C)/i,
  pipeDelimited: /(\||%7C|,|%2C)/i,
};

/** Exchanges the value of a parameter, in the style in which the document says that it is written. */
export function exchangeValue(
  context: Context,
  raw: string,
  node: Node | undefined,
  parameter: Term['parameter'],
  place: string,
): string {
  if (!node || node.isPlain) return raw;
  if (node.holds === 'names' && parameter?.mediaType === undefined)
    return exchangeNames(context, node, raw, place, recodeQuery);
  if (parameter?.mediaType !== undefined || /^(\{|\[|%7B|%5B)/i.test(raw))
    return recodeQuery(raw, (text) => exchangeJson(context, node, text, place));
  const { style = 'form', explode = true } = parameter ?? {};
  const exchange = (part: string, at: Node | undefined): string =>
    at ? recodeQuery(part, (text) => exchangeText(context, at, text, place)) : part;
  // An object may be written as `name,value,name,value`.
  const isFlat = node.members.out.size > 0 && !explode && style !== 'deepObject';
  const item = node.items ?? node.prefix[0];
  if (!isFlat && (!item || (explode && style === 'form'))) return exchange(raw, item ?? node);
  let value: Node | undefined;
  const parts = raw.split(SEPARATORS[style] ?? COMMA).map((part, at) => {
    if (at % 2 === 1) return part;
    if (!isFlat || at % 4 === 2) return exchange(part, isFlat ? value : item);
    const term = findTerm(context, node, decode(part));
    value = term?.node;
    return recodeQuery(part, (name) => term?.to ?? name);
  });
  return parts.join('');
}

/** Exchanges the value of a parameter that stands outside of an address, as in a header: it is not encoded. */
export function exchangePlainValue(context: Context, text: string, { node, parameter }: Term, place: string): string {
  return exchangeEncoded(text, encodeURIComponent, (raw) => exchangeValue(context, raw, node, parameter, place));
}
