/** Problems (RFC 9457): those of this package, and what is exchanged in those of the API. */
import { asArray, decodeUri, placeWithin, readPointer } from './document.ts';
import { parseJson, scanWhole } from './scan.ts';
import type { Sentence, Words } from './table.ts';
import {
  type Context,
  exchangeLocation,
  exchangeParameter,
  exchangePointer,
  exchangeText,
  exchangeValue,
  type ForeignWord,
  findLocation,
  findTerm,
} from './texts.ts';
import { fillIn, type Json } from './words.ts';

const FOREIGN = [
  'Did you mean “{suggestion}” instead of “{word}”?',
  '¿Quería decir «{suggestion}» en lugar de «{word}»?',
];

/** Titles and details in English and in Spanish. */
const SENTENCES = {
  'unknown-parameter': [['Unknown parameter', 'Parámetro desconocido'], FOREIGN],
  'invalid-parameter': [['Invalid parameter', 'Parámetro no válido'], FOREIGN],
  'unknown-field': [['Unknown field', 'Campo desconocido'], FOREIGN],
  'invalid-value': [['Invalid value', 'Valor no válido'], FOREIGN],
  'no-such-path': [['No such path', 'Ruta inexistente'], FOREIGN],
  'invalid-query': [
    ['Invalid query', 'Consulta no válida'],
    [
      'Several words of the query belong to another vocabulary.',
      'Varias palabras de la consulta son de otro vocabulario.',
    ],
  ],
  'invalid-body': [
    ['Invalid body', 'Contenido no válido'],
    [
      'Several words of the body belong to another vocabulary.',
      'Varias palabras del contenido son de otro vocabulario.',
    ],
  ],
  'malformed-body': [
    ['Malformed body', 'Contenido mal formado'],
    ['The body is not in the coding that it says.', 'El contenido no está en la codificación que dice.'],
  ],
  'unsupported-coding': [
    ['Unsupported coding', 'Codificación no admitida'],
    [
      'The body is in a coding that cannot be translated; send it in gzip, or as it is.',
      'El contenido está en una codificación que no se puede traducir; envíelo en gzip, o sin codificar.',
    ],
  ],
  'signed-request': [
    ['Signed request', 'Petición firmada'],
    [
      'A signed request cannot be translated; send it in the API’s own words.',
      'Una petición firmada no se puede traducir; envíela con las palabras propias de la API.',
    ],
  ],
  'precondition-failed': [
    ['Precondition failed', 'No se cumple la condición previa'],
    ['“If-Match” names no version of this resource.', '«If-Match» no indica ninguna versión de este recurso.'],
  ],
  'bad-gateway': [
    ['Unusable answer', 'Respuesta inservible'],
    ['The API has broken off, or its answer cannot be used.', 'La API ha cortado, o su respuesta no se puede usar.'],
  ],
  'bad-request': [
    ['Bad request', 'Petición incorrecta'],
    [
      'The target, host or framing of the request cannot be handed over.',
      'La dirección, el host o la delimitación de la petición no se pueden transmitir.',
    ],
  ],
  'too-large': [
    ['Content too large', 'Contenido demasiado grande'],
    [
      'The body is longer than this service hands over.',
      'El contenido es más largo de lo que transmite este servicio.',
    ],
  ],
  'api-unreachable': [
    ['API not reachable', 'API no disponible'],
    [
      'The API could not be asked. Nothing was done; try again.',
      'No se pudo preguntar a la API. No se hizo nada; inténtelo de nuevo.',
    ],
  ],
  'gateway-timeout': [
    ['The API is slow', 'La API tarda demasiado'],
    ['The API has not answered in time.', 'La API no ha respondido a tiempo.'],
  ],
  'outcome-unknown': [
    ['Outcome unknown', 'Resultado desconocido'],
    [
      'The API has not said whether this was done. Look before you send it again.',
      'La API no ha dicho si esto se hizo. Compruébelo antes de enviarlo otra vez.',
    ],
  ],
} as const;

export type ProblemCode = keyof typeof SENTENCES;

/** Members of a problem that list steps to a place, or values that may stand there (zod). */
const LISTS = ['path', 'loc', 'values', 'options'];

/** Members of a problem that hold a sentence. */
const SENTENCE = ['title', 'detail', 'message'];

/** Levels of a problem that are read. */
const DEEPEST = 100;

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

/** @returns a problem of this package in a vocabulary's language: by its table, or in Spanish or English */
export function createProblem(words: Words, code: ProblemCode, foreign: readonly ForeignWord[] = []): Response {
  const language = /^es\b/i.test(words.tag) ? 1 : 0;
  // A table that lacks some of the sentences would make a mixture of languages.
  const isTold = [code, ...foreign.map(readCode)].every((name) => {
    const { title, detail } = words.findSentence(name) ?? {};
    return title !== undefined && detail !== undefined;
  });
  const say = (name: ProblemCode): Required<Sentence> => {
    const [title, detail] = SENTENCES[name];
    const own = language === 1 || isTold ? words.findSentence(name) : undefined;
    return { title: title[language] ?? '', detail: detail[language] ?? '', ...own };
  };
  const errors = foreign.map((fault) => {
    const { place, word, suggestion } = fault;
    const at = place.startsWith('/') ? { pointer: place } : { parameter: place };
    const detail = fillIn(say(readCode(fault)).detail, { ...at, word, suggestion });
    return { ...at, code: readCode(fault), detail, suggestion };
  });
  const [first, second] = errors;
  const status = STATUS[code] ?? 400;
  const { title, detail } = say(code);
  const parts = foreign[0]?.kind === 'path' ? { suggestion: first?.suggestion } : { errors: first && errors };
  const body = { type: 'about:blank', title, status, code, detail: first && !second ? first.detail : detail, ...parts };
  const headers = {
    'content-type': 'application/problem+json',
    'content-language': language === 1 || isTold ? words.tag : 'en',
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
 * @returns what replaces texts of the problem, by their pointers, and whether every sentence is replaced
 */
export function exchangeProblem(context: Context, body: string | undefined) {
  const reader = new ProblemReader(context);
  reader.read(body === undefined ? undefined : parseJson(body), '', 0);
  return { texts: reader.texts, areTranslated: reader.isTold && !reader.isLeft };
}

class ProblemReader {
  readonly texts = new Map<string, string>();
  /** Whether a sentence is replaced, and whether one stays. */
  isTold = false;
  isLeft = false;
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  read(part: unknown, at: string, depth: number): void {
    // A sentence has spaces between its words; what has none may be a code.
    if (typeof part === 'string' && /\s/.test(part)) this.isLeft = true;
    if (typeof part !== 'object' || part === null || depth > DEEPEST) return;
    const problem: Json = { ...part };
    const values = Object.entries(problem).map(([name, member]) => {
      const place = placeWithin(at, name);
      const text = typeof member === 'string' ? exchangeMember(this.#context, name, member, problem) : undefined;
      if (text !== undefined) this.texts.set(place, text);
      else if (LISTS.includes(name) && Array.isArray(member)) this.#readList(member, name, place, problem);
      else if (!SENTENCE.includes(name) || typeof member !== 'string') this.read(member, place, depth + 1);
      return [name, text ?? member] as const;
    });
    this.#readSentences(problem, Object.fromEntries(values), at);
  }

  #readList(list: readonly unknown[], name: string, place: string, problem: Json): void {
    const steps = list.map(String);
    const isPlace = name === 'path' || name === 'loc';
    const words = isPlace
      ? exchangeLocation(this.#context, steps)
      : steps.map((step) => exchangeSent(this.#context, step, problem));
    for (const [index, text] of words.entries()) this.texts.set(placeWithin(place, index), text);
  }

  #readSentences(problem: Json, values: Json, at: string): void {
    const { words } = this.#context.vocabulary;
    const sentence = words.findSentence(problem.code) ?? words.findSentence(problem.type);
    for (const name of SENTENCE.filter((member) => typeof problem[member] === 'string')) {
      const text = name === 'title' ? sentence?.title : sentence?.detail;
      if (text !== undefined) this.texts.set(placeWithin(at, name), fillIn(text, values));
      if (text !== undefined) this.isTold = true;
      else this.isLeft = true;
    }
  }
}

/** @returns a member of a problem that holds a name, or what was sent as the value of a parameter, in words; nothing for others */
function exchangeMember(context: Context, name: string, text: string, part: Json): string | undefined {
  if (name === 'parameter') return exchangeParameter(context, text);
  if (name === 'pointer' && text !== '') return exchangePointer(context, text);
  if (name === 'path' || name === 'loc' || name === 'instance') {
    const address = text.startsWith('/') ? (context.exchangeAddress?.(text) ?? text) : text;
    if (address !== text || name === 'instance') return address;
    return /^#?\//.test(text) ? exchangePointer(context, text) : exchangeLocation(context, text.split('.')).join('.');
  }
  // A validator may write its issues as JSON into a text.
  if (name === 'message' && /^[[{]/.test(text)) {
    const { texts } = exchangeProblem(context, text);
    return scanWhole(undefined, { ...context, texts }, text);
  }
  return name === 'value' || name === 'input' ? exchangeSent(context, text, part) : undefined;
}

/** @returns in words what was sent, or could have been, at the place that a part of a problem speaks of */
function exchangeSent(context: Context, text: string, { parameter, pointer, path, loc }: Json): string {
  const { operation, vocabulary } = context;
  if (typeof parameter === 'string') {
    const term = operation && findTerm(context, vocabulary.findParameters(operation, 'query'), parameter);
    const raw = encodeURIComponent(text);
    return term ? decodeUri(exchangeValue(context, raw, term.node, term.parameter, parameter)) : text;
  }
  const steps = typeof pointer === 'string' ? readPointer(pointer) : asArray(path ?? loc).map(String);
  const node = findLocation(context, steps);
  return node ? exchangeText(context, node, text, '') : text;
}
