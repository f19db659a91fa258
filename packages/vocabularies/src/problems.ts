/** Problems (RFC 9457): those of this package, and sentences of a vocabulary in those of the API. */
import { asArray, isObject, type Json, placeWithin } from './document.ts';

import type { Sentence, Words } from './table.ts';
import type { ForeignWord } from './texts.ts';

const FOREIGN = 'Did you mean “{suggestion}” instead of “{word}”?';
const ENGLISH = {
  'unknown-parameter': { title: 'Unknown parameter', detail: FOREIGN },
  'invalid-parameter': { title: 'Invalid parameter', detail: FOREIGN },
  'unknown-field': { title: 'Unknown field', detail: FOREIGN },
  'invalid-value': { title: 'Invalid value', detail: FOREIGN },
  'no-such-path': { title: 'No such path', detail: FOREIGN },
  'invalid-query': { title: 'Invalid query', detail: 'Several words of the query belong to another vocabulary.' },
  'invalid-body': { title: 'Invalid body', detail: 'Several words of the body belong to another vocabulary.' },
  'signed-request': {
    title: 'Signed request',
    detail: 'A signed request cannot be translated; send it in the API’s own words.',
  },
  'precondition-failed': { title: 'Precondition failed', detail: '“If-Match” names no version of this resource.' },
  'bad-gateway': { title: 'Unusable answer', detail: 'The API has sent a coding that cannot be translated.' },
};

export type ProblemCode = keyof typeof ENGLISH;

const FOREIGN_ES = '¿Quería decir «{suggestion}» en lugar de «{word}»?';
const SPANISH: Readonly<Record<ProblemCode, Required<Sentence>>> = {
  'unknown-parameter': { title: 'Parámetro desconocido', detail: FOREIGN_ES },
  'invalid-parameter': { title: 'Parámetro no válido', detail: FOREIGN_ES },
  'unknown-field': { title: 'Campo desconocido', detail: FOREIGN_ES },
  'invalid-value': { title: 'Valor no válido', detail: FOREIGN_ES },
  'no-such-path': { title: 'Ruta inexistente', detail: FOREIGN_ES },
  'invalid-query': { title: 'Consulta no válida', detail: 'Varias palabras de la consulta son de otro vocabulario.' },
  'invalid-body': { title: 'Contenido no válido', detail: 'Varias palabras del contenido son de otro vocabulario.' },
  'signed-request': {
    title: 'Petición firmada',
    detail: 'Una petición firmada no se puede traducir; envíela con las palabras propias de la API.',
  },
  'precondition-failed': {
    title: 'No se cumple la condición previa',
    detail: '«If-Match» no indica ninguna versión de este recurso.',
  },
  'bad-gateway': {
    title: 'Respuesta inservible',
    detail: 'La API ha enviado una codificación que no se puede traducir.',
  },
};

/** Other problems are 400. */
const STATUS: Readonly<Partial<Record<ProblemCode, number>>> = { 'precondition-failed': 412, 'bad-gateway': 502 };

function fill(sentence: string, values: Json): string {
  return sentence.replaceAll(/\{([\w-]+)\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' || typeof value === 'number' ? String(value) : placeholder;
  });
}

/** @returns a problem of this package in a vocabulary's language: by its table, or in English or Spanish */
export function createProblem(words: Words, code: ProblemCode, foreign: readonly ForeignWord[] = []): Response {
  const isSpanish = /^es\b/i.test(words.tag);
  const say = (each: ProblemCode): Required<Sentence> => {
    return { ...(isSpanish ? SPANISH : ENGLISH)[each], ...words.sentence(each) };
  };
  const errors = foreign.map(({ kind, place, word, suggestion }) => {
    const own = readCode(kind, place);
    const at = place.startsWith('/') ? { pointer: place } : { parameter: place };
    return { ...at, code: own, detail: fill(say(own).detail, { ...at, word, suggestion }), suggestion };
  });
  const [first, second] = errors;
  const { title, detail } = say(code);
  const status = STATUS[code] ?? 400;
  const isPath = foreign[0]?.kind === 'path';
  const isTold = isSpanish || words.sentence(code) !== undefined;
  const body = {
    type: 'about:blank',
    title,
    status,
    code,
    detail: first && !second ? first.detail : detail,
    ...(first && (isPath ? { suggestion: first.suggestion } : { errors })),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/problem+json',
      'content-language': isTold ? words.tag : 'en',
      'cache-control': 'no-store',
    },
  });
}

function readCode(kind: ForeignWord['kind'], place: string): ProblemCode {
  if (kind === 'path') return 'no-such-path';
  if (kind === 'parameter') return 'unknown-parameter';
  if (kind === 'member') return 'unknown-field';
  return place.startsWith('/') ? 'invalid-value' : 'invalid-parameter';
}

/** @returns a problem that says which words belong to another vocabulary */
export function refuseForeign(words: Words, foreign: readonly ForeignWord[]): Response {
  const [first, second] = foreign;
  if (first && !second) return createProblem(words, readCode(first.kind, first.place), foreign);
  const isQuery = foreign.every(({ place }) => !place.startsWith('/'));
  return createProblem(words, isQuery ? 'invalid-query' : 'invalid-body', foreign);
}

export interface Sentences {
  /** Sentences of the vocabulary, by pointers to those that they replace. */
  readonly byPointer: ReadonlyMap<string, string>;
  /** Whether every sentence of the problem is replaced. */
  readonly areAll: boolean;
}

/**
 * Finds the sentences of a vocabulary for a problem and its errors, by their `code` or `type`.
 *
 * @param exchange writes a name of the document, such as a pointer, as a word
 */
export function findSentences(
  body: string,
  words: Words,
  exchange: (member: string, text: string, problem: Json) => string,
): Sentences {
  const byPointer = new Map<string, string>();
  let areAll = true;
  const read = (problem: Json, at: string): void => {
    const { code, type } = problem;
    const sentence = words.sentence(code) ?? words.sentence(type);
    const values = Object.fromEntries(
      Object.entries(problem).map(([name, value]) => [
        name,
        typeof value === 'string' ? exchange(name, value, problem) : value,
      ]),
    );
    for (const [member, said] of [
      ['title', sentence?.title],
      ['detail', sentence?.detail],
      ['message', sentence?.detail],
    ] as const) {
      if (typeof problem[member] !== 'string') continue;
      if (said === undefined) areAll = false;
      else byPointer.set(placeWithin(at, member), fill(said, values));
    }
    if (values.value !== problem.value) byPointer.set(placeWithin(at, 'value'), String(values.value));
    for (const [name, value] of Object.entries(problem)) {
      for (const [index, each] of asArray(value).entries())
        if (isObject(each)) read(each, placeWithin(at, name, index));
    }
  };
  const value = readJson(body);
  if (isObject(value)) read(value, '');
  return { byPointer, areAll: isObject(value) && areAll };
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
