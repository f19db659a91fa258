/** Problems (RFC 9457): those of this package, and what is exchanged in those of the API. */
import { tagFinder } from './accept-language.ts';
import { asArray, placeWithin, readPointer } from './document.ts';
import en from './locales/en.json' with { type: 'json' };
import es from './locales/es.json' with { type: 'json' };
import { createTerm, LOCATIONS, Node } from './nodes.ts';
import { DEEPEST_PLACE, parseJson, scanWhole } from './scan.ts';
import type { Sentence, Words } from './table.ts';
import {
  type Context,
  exchangeLocation,
  exchangeParameter,
  exchangePath,
  exchangePlainValue,
  exchangePointer,
  exchangeText,
  type ForeignWord,
  findLocation,
  findTerm,
} from './texts.ts';
import { fillIn, isObject, type Json, valueAt } from './words.ts';

export type ProblemCode = keyof typeof en;

/** What this package says itself, by language, in the form of a table's `problems`. A further language is a file and its name here. */
const LANGUAGES: Readonly<Record<string, Readonly<Record<ProblemCode, Sentence>>>> = { en, es };
const findLanguage = tagFinder(Object.keys(LANGUAGES));

/** Members of a problem that hold a place, in a text or as a list of steps. */
const PLACES = ['path', 'loc', 'field', 'property', 'param', 'instancePath', 'propertyPath'];

/** Members of a problem that list steps to a place, or values that may stand there (zod). */
const LISTS = [...PLACES, 'values', 'options'];

/** Members of a problem that hold a sentence. */
const SENTENCE = ['title', 'detail', 'message', 'msg'];

/** Members of a problem that repeat what was sent. */
const SENT = ['value', 'input'];

/** Other problems are 400. */
const STATUS: Readonly<Partial<Record<ProblemCode, number>>> = {
  'precondition-failed': 412,
  'unsupported-coding': 415,
  'too-large': 413,
  'bad-gateway': 502,
  'api-unreachable': 502,
  'gateway-timeout': 504,
  'outcome-unknown': 504,
};

/** @returns the sentences of a problem of this package in a vocabulary's language, as far as its table or the package has them */
export function findOwnSentence(words: Words, code: ProblemCode): Sentence {
  return { ...LANGUAGES[findLanguage(words.tag) ?? '']?.[code], ...words.findSentence(code) };
}

/** @returns a problem of this package, in English if a vocabulary's language lacks one of its sentences: two would be a mixture */
export function createProblem(words: Words, code: ProblemCode, foreign: readonly ForeignWord[] = []): Response {
  const isComplete = [code, ...foreign.map(readCode)].every((name) => {
    const { title, detail } = findOwnSentence(words, name);
    return title !== undefined && detail !== undefined;
  });
  const say = (name: ProblemCode): Sentence => (isComplete ? findOwnSentence(words, name) : en[name]);
  const errors = foreign.map((fault) => {
    const { place, word, suggestion } = fault;
    const at = place.startsWith('/') ? { pointer: place } : { parameter: place };
    const detail = fillIn(say(readCode(fault)).detail ?? '', { ...at, word, suggestion });
    return { ...at, code: readCode(fault), detail, suggestion };
  });
  const [first, second] = errors;
  const status = STATUS[code] ?? 400;
  const { title, detail } = say(code);
  const parts = foreign[0]?.kind === 'path' ? { suggestion: first?.suggestion } : { errors: first && errors };
  const body = { type: 'about:blank', title, status, code, detail: first && !second ? first.detail : detail, ...parts };
  const headers = {
    'content-type': 'application/problem+json',
    'content-language': isComplete ? words.tag : 'en',
    'cache-control': 'no-store',
    ...(code === 'unsupported-coding' ? { 'accept-encoding': 'gzip' } : {}),
  };
  return new Response(JSON.stringify(body), { status, headers });
}

function readCode({ kind, place }: ForeignWord): ProblemCode {
  if (kind === 'path') return 'no-such-path';
  if (kind === 'parameter') return 'unknown-parameter';
  if (kind === 'member') return 'unknown-field';
  return place.startsWith('/') ? 'invalid-value' : 'invalid-parameter';
}

/** @returns a problem that says which words belong to another vocabulary */
export function refuseForeign(words: Words, foreign: readonly ForeignWord[]): Response {
  const [first, second] = foreign;
  if (first && !second) return createProblem(words, readCode(first), foreign);
  const isQuery = foreign.every(({ place }) => !place.startsWith('/'));
  return createProblem(words, isQuery ? 'invalid-query' : 'invalid-body', foreign);
}

/**
 * Finds what holds names in any problem (RFC 9457, zod, FastAPI), and the sentences that the table has by its `code` or `type`.
 *
 * @returns what replaces texts of the problem and what it repeats, by their pointers, and whether every sentence is replaced
 */
export function exchangeProblem(context: Context, body: string | undefined) {
  const reader = new ProblemReader(context);
  reader.read(body === undefined ? undefined : parseJson(body), '', 0);
  return { texts: reader.texts, sent: reader.sent, areTranslated: reader.hasTranslated && !reader.hasUntranslated };
}

class ProblemReader {
  readonly texts = new Map<string, string>();
  readonly sent = new Map<string, Node>();
  /** Whether the problem has a sentence that is replaced, and one that stays. */
  hasTranslated = false;
  hasUntranslated = false;
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  read(part: unknown, at: string, depth: number): void {
    // A sentence has spaces between its words; what has none may be a code.
    if (typeof part === 'string' && /\s/.test(part)) this.hasUntranslated = true;
    if (typeof part !== 'object' || part === null || depth > DEEPEST_PLACE) return;
    const named = areErrorsByName(part, at.endsWith('/errors'), depth) ? findNamed(this.#context, part) : undefined;
    if (named) {
      this.sent.set(at, named);
      this.hasUntranslated = true;
      return;
    }
    const problem: Json = { ...part };
    const values = Object.entries(problem).map(([name, member]) => {
      const place = placeWithin(at, name);
      const text = typeof member === 'string' ? exchangeMember(this.#context, name, member, problem) : undefined;
      const sent = typeof member === 'object' ? findRepeated(this.#context, name, member, problem) : undefined;
      if (text !== undefined) this.texts.set(place, text);
      else if (sent) this.sent.set(place, sent);
      else if (LISTS.includes(name) && Array.isArray(member)) this.#readList(member, name, place, problem);
      else if (!SENTENCE.includes(name) || typeof member !== 'string') this.read(member, place, depth + 1);
      return [name, text ?? member] as const;
    });
    this.#readSentences(problem, Object.fromEntries(values), at);
  }

  #readList(list: readonly unknown[], name: string, place: string, problem: Json): void {
    const steps = list.map(readStep);
    const isPlace = PLACES.includes(name);
    const words = isPlace
      ? exchangeLocation(this.#context, steps)
      : steps.map((step) => exchangeSent(this.#context, step, problem));
    for (const [index, text] of words.entries()) {
      const at = placeWithin(place, index);
      const isValibots = isObject(list[index]);
      this.texts.set(isValibots ? `${at}/key` : at, text);
      if (!isValibots || index > DEEPEST_PLACE) continue;
      // It repeats with each step what the step leads from and to.
      for (const [more, member] of ['input', 'value'].entries()) {
        const sent = findLocation(this.#context, steps.slice(0, index + more));
        if (sent) this.sent.set(placeWithin(at, member), sent);
      }
    }
  }

  #readSentences(problem: Json, values: Json, at: string): void {
    const { words } = this.#context.vocabulary;
    const sentence = words.findSentence(problem.code) ?? words.findSentence(problem.type);
    for (const name of SENTENCE.filter((member) => typeof problem[member] === 'string')) {
      const text = name === 'title' ? sentence?.title : sentence?.detail;
      if (text !== undefined) this.texts.set(placeWithin(at, name), fillIn(text, values));
      this.hasTranslated ||= text !== undefined;
      this.hasUntranslated ||= text === undefined;
    }
  }
}

/** @returns a member of a problem that holds a name, or what was sent as the value of a parameter, in words; nothing for others */
function exchangeMember(context: Context, name: string, text: string, part: Json): string | undefined {
  if (name === 'parameter') return exchangeParameter(context, text);
  if (name === 'pointer' && text !== '') return exchangePointer(context, text);
  if (PLACES.includes(name) || name === 'instance') {
    const address = text.startsWith('/') ? (context.exchangeAddress?.(text) ?? text) : text;
    if (address !== text || name === 'instance') return address;
    if (/^#?\//.test(text)) return exchangePointer(context, text);
    return writeSteps(exchangeLocation(context, readSteps(text)));
  }
  // A validator may write its issues as JSON into a text.
  if (name === 'message' && /^[[{]/.test(text)) {
    const { texts, sent } = exchangeProblem(context, text);
    return scanWhole(undefined, { ...context, texts, sent }, text);
  }
  return SENT.includes(name) ? exchangeSent(context, text, part) : undefined;
}

/** @returns in words what was sent, or could have been, at the place that a part of a problem speaks of */
export function exchangeSent(context: Context, text: string, part: Json): string {
  const { operation, vocabulary } = context;
  const { parameter } = part;
  if (typeof parameter === 'string') {
    const term = operation && findTerm(context, vocabulary.findParameters(operation, 'query'), parameter);
    return term ? exchangePlainValue(context, text, term, parameter) : text;
  }
  const node = findSent(context, part);
  return node ? exchangeText(context, node, text, '') : text;
}

/** @returns what stands at the place that a part of a problem speaks of; around it, if something is missing there */
function findSent(context: Context, part: Json): Node | undefined {
  const place = ['pointer', ...PLACES].map((name) => part[name]).find((value) => value !== undefined);
  const steps = typeof place === 'string' ? readSteps(place) : asArray(place).map(readStep);
  return place === undefined ? place : findLocation(context, part.type === 'missing' ? steps.slice(0, -1) : steps);
}

/** @returns what a member is that repeats what was sent */
function findRepeated(context: Context, name: string, member: object | null, part: Json): Node | undefined {
  if (SENT.includes(name)) return findSent(context, part);
  // Validators of Hono repeat all that they were given.
  return name === 'data' && part.success === false ? findNamed(context, Object(member)) : undefined;
}

/** @returns the steps to a place that is a pointer, or written like `boats[0].kind` */
function readSteps(place: string): readonly string[] {
  return place.startsWith('/') ? readPointer(place) : place.split(/\.|(?=\[)/);
}

/** @returns steps that are not those of a pointer, written like `boats[0].kind` */
function writeSteps(steps: readonly string[]): string {
  return steps.join('.').replaceAll('.[', '[');
}

/** @returns the name of a step to a place; Standard Schema allows objects that have it as their key */
export function readStep(step: unknown): string {
  return String(valueAt(step, 'key') ?? step);
}

/** @returns whether an object has lists of sentences by the names of what is wrong, as Django, Laravel and Rails write them */
function areErrorsByName(part: unknown, mayBeTexts: boolean, depth: number): boolean {
  const isText = (value: unknown): boolean => typeof value === 'string';
  const areErrors = (value: unknown): boolean =>
    Array.isArray(value)
      ? value.every(isText)
      : (mayBeTexts && isText(value)) || areErrorsByName(value, mayBeTexts, depth + 1);
  return isObject(part) && depth <= DEEPEST_PLACE && Object.values(part).every(areErrors);
}

/** @returns the body, or the parameters of one location, whose names an object has; paths such as `owner.name` are names there, too */
function findNamed(context: Context, named: object): Node | undefined {
  const { body, operation, vocabulary } = context;
  const parameters = LOCATIONS.map((location) => operation && vocabulary.findParameters(operation, location));
  const names = Object.keys(named);
  const node = [body, body?.items, ...parameters].find((candidate) =>
    names.some((name) => candidate?.members.out.has(readSteps(name)[0] ?? name)),
  );
  const paths = names.filter((name) => /^[^/]*[.[]/.test(name));
  if (!node || paths.length === 0) return node;
  const terms = paths.map((path) => {
    const words = exchangePath(context, node, readSteps(path));
    return [path, createTerm(path, writeSteps(words), {})] as const;
  });
  const members = { ...node.members, out: new Map([...terms, ...node.members.out]) };
  return Object.assign(new Node(node.place), node, { members, first: {} });
}
