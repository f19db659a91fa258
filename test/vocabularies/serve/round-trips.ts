/** Requests and answers at random, as a document allows them, through `serve` before a mock of it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import express from '../../../examples/before-an-api/openapi.json' with { type: 'json' };
import expressTable from '../../../examples/before-an-api/tables/es.json' with { type: 'json' };
import { findContent, type Operation } from '../../../packages/vocabularies/src/document.ts';
import type { Vocabulary } from '../../../packages/vocabularies/src/nodes.ts';
import { findRoute, readSegments, writePath } from '../../../packages/vocabularies/src/paths.ts';
import { scanWhole } from '../../../packages/vocabularies/src/scan.ts';
import { exchangePairs, exchangeValue } from '../../../packages/vocabularies/src/texts.ts';
import { Translator } from '../../../packages/vocabularies/src/translator.ts';
import { type Json, others, pseudoTable, randomJson } from '../documents.ts';
import { createRandom } from '../oracle.ts';
import * as fastapi from './fastapi.ts';
import georefTable from './georef.en.json' with { type: 'json' };
import { createFolder, startApi, startServe } from './process.ts';

/** Documents, and a table of real words or of pseudo-words. */
export const apis: readonly (readonly [name: string, document: Json, table: object])[] = [
  ['Express', express, expressTable],
  ['FastAPI', fastapi.document, fastapi.es],
  ...others.flatMap(([name, document]) =>
    name === 'georef' ? [[`${name} from Spanish to English`, document, georefTable] as const] : [],
  ),
  ...[['express', express as Json] as const, ['fastapi', fastapi.document as Json] as const, ...others].map(
    ([name, document]) => [`${name} in pseudo-words`, document, pseudoTable(document)] as const,
  ),
];

type Below = (limit: number) => number;

const LANES = 16;
const VALUES = ['7', 'a%2Fb', 'a%C3%B1o', 'a+b', 'status', '-', '%20', "(x)*!'"];

function exchangesOut(vocabulary: Vocabulary, operation: Operation) {
  return { vocabulary, operation, direction: 'out' as const };
}

/** @returns a value of a parameter, encoded: a listed one if some are */
function writeValue(document: Json, table: object, schema: unknown, below: Below): string {
  const json = JSON.parse(writeJson(document, table, schema, below));
  const isListed = JSON.stringify(schema ?? {}).includes('"enum"') || JSON.stringify(schema ?? {}).includes('$ref');
  return isListed && typeof json === 'string'
    ? encodeURIComponent(json.toWellFormed())
    : (VALUES[below(VALUES.length)] ?? '');
}

interface Message {
  readonly target: string;
  readonly body: string;
}

/** Writes JSON in which no member that the document does not declare is a word, because it would come back as a name. */
function writeJson(document: Json, table: object, schema: unknown, below: Below): string {
  const json = randomJson(document, schema, below);
  return JSON.stringify(table).includes(':"name"') ? json.replaceAll('"name"', '"unknown"') : json;
}

function createMessage(document: Json, table: object, operation: Operation, below: Below): Message {
  const values = new Map(
    operation.parameters.map(({ name, schema }) => [name, writeValue(document, table, schema, below)]),
  );
  const path = operation.template.replaceAll(
    /\{([^}]*)\}/g,
    (_, name) => values.get(name)?.replaceAll('+', '7') ?? '7',
  );
  const query = operation.parameters
    .filter((each) => each.in === 'query' && below(2) === 0)
    .map(({ name }) => `${encodeURIComponent(name)}=${values.get(name)}`)
    .join('&');
  const content = findContent(operation.body, 'application/json')?.body;
  return {
    target: path + (query && `?${query}`),
    body: content ? writeJson(document, table, content, below) : '',
  };
}

/** @returns a message in words */
function writeInWords(vocabulary: Vocabulary, operation: Operation, { target, body }: Message): Message {
  const context = exchangesOut(vocabulary, operation);
  const [path = '', query] = target.split('?');
  const match = findRoute(vocabulary.root, readSegments(path), 'out');
  if (!match) throw new TypeError(`${path} is no path of the document`);
  const terms = vocabulary.findParameters(operation, 'path').members.out;
  const own = writePath(match, (index, raw) => {
    const term = terms.get(operation.pathNames[index] ?? '');
    return exchangeValue(context, raw, term?.node, term?.parameter, '');
  });
  const pairs = query && exchangePairs(context, vocabulary.findParameters(operation, 'query'), query);
  const content = findContent(operation.body, 'application/json');
  return {
    target: own + (pairs ? `?${pairs}` : ''),
    body: (content && scanWhole(vocabulary.findContents(content).body, context, body)) ?? body,
  };
}

/** @returns a schema and all that it refers to or is composed of */
function listSchemas(document: Json, schema: unknown, seen = new Set<unknown>()): readonly Json[] {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return [];
  seen.add(schema);
  const { $ref, allOf = [], oneOf = [], anyOf = [], ...own } = schema as Record<string, unknown>;
  const names = typeof $ref === 'string' ? $ref.split('/').slice(1) : [];
  const target = names.reduce<unknown>((value, name) => Object(value)[name.replaceAll('~1', '/')], document);
  const parts = [allOf, oneOf, anyOf, $ref === undefined ? [] : [target]].flat();
  return [own, ...parts.flatMap((part) => listSchemas(document, part, seen))];
}

/** Reads an answer in pseudo-words by its schema, and not as the translator does. @returns names that are left over in it */
function findNames(document: Json, words: Json, value: unknown, schemas: readonly unknown[]): readonly string[] {
  const all = schemas.flatMap((schema) => listSchemas(document, schema));
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: each }) => each ?? []);
    return value.flatMap((item) => findNames(document, words, item, items));
  }
  if (typeof value !== 'object' || value === null) return [];
  const declared = all.flatMap(({ properties }) => Object.entries(Object(properties)));
  return Object.entries(value).flatMap(([key, member]) => {
    const below = declared.filter(([name]) => (words[name] ?? name) === key).map(([, schema]) => schema);
    const isLeft = declared.some(([name]) => name === key && words[name] !== undefined);
    return [...(isLeft ? [key] : []), ...findNames(document, words, member, below)];
  });
}

/**
 * Asks in words and expects that the mock is asked in the document's names, byte for byte, and that its answer comes back in words
 * of which nothing is left to be translated, and which are the answer itself once they are translated back.
 */
export async function makeRoundTrips(document: Json, table: object, count: number, seed: number): Promise<void> {
  const below = createRandom(seed);
  const tables = { xx: table };
  const { document: read, vocabularies } = new Translator({ document, tables, select: 'prefix' });
  const vocabulary = vocabularies.get('xx') as Vocabulary;
  const operations = read.operations.filter(({ template }) => !/[^/]\{|\}[^/]/.test(template));
  const [asked, answers] = [new Map<string, string>(), new Map<string, { status: number; body: string }>()];
  const api = await startApi(async (incoming, outgoing) => {
    const mark = String(incoming.headers['x-mark']);
    asked.set(mark, `${incoming.method} ${incoming.url} ${await text(incoming)}`);
    const { status = 500, body = '' } = answers.get(mark) ?? {};
    outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    outgoing.end(body);
  });
  const folder = createFolder({ 'document.json': document });
  mkdirSync(join(folder, 'tables'));
  writeFileSync(join(folder, 'tables/xx.json'), JSON.stringify(table));
  const { url } = await startServe(api, folder, '--select', 'prefix');
  const agent = new Agent({ keepAlive: true });

  async function send(method: string, { target, body }: Message, mark: string): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const headers = { 'x-mark': mark, ...(body === '' ? {} : { 'content-type': 'application/json' }) };
    request(`${url}/xx`, { method, path: `/xx${target}`, headers, agent }, (answer) =>
      text(answer).then(resolve, reject),
    )
      .on('error', reject)
      .end(body);
    return promise;
  }

  async function makeOne(at: number): Promise<void> {
    const operation = operations[below(operations.length)] as Operation;
    const names = createMessage(document, table, operation, below);
    const words = writeInWords(vocabulary, operation, names);
    const [status, contents] = [...operation.answers].find(([code]) => /^2\d\d$/.test(code)) ?? ['204', undefined];
    const content = findContent(contents, 'application/json');
    const answer = content?.body ? writeJson(document, table, content.body, below) : '';
    const mark = String(at);
    answers.set(mark, { status: Number(answer === '' ? 204 : status), body: answer });
    const received = await send(operation.method, words, mark);
    expect(asked.get(mark)).toBe(`${operation.method} ${names.target} ${names.body}`);
    const node = content && vocabulary.findContents(content).body;
    const context = exchangesOut(vocabulary, operation);
    const translate = (body: string, direction: 'in' | 'out') =>
      scanWhole(node, { ...context, direction }, body) ?? body;
    expect([received, translate(received, 'in')]).toEqual([translate(answer, 'out'), answer]);
    const { '*': members } = (table as { members: Record<string, Json> }).members;
    if (members && received !== '') {
      expect(findNames(document, members, JSON.parse(received), [content?.body])).toEqual([]);
    }
    asked.delete(mark);
    answers.delete(mark);
  }

  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) await makeOne(at);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
}
