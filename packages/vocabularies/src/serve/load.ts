/** Reads what the commands are given: the document, the files that it may refer to, and the tables. */
import { existsSync, realpathSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isPair, isScalar, parse, parseDocument, visit } from 'yaml';
import { type Fault, placeWithin } from '../document.ts';
import { fillIn, isObject } from '../words.ts';
import { StartError, texts } from './texts.ts';

const LOAD_TIMEOUT = 10_000;

/** @returns a URL, also of a path; that of a file is its real one, so that no link leads out of a folder */
function toUrl(source: string): URL {
  const url = /^(https?|file):/.test(source) ? new URL(source) : pathToFileURL(resolve(source));
  return url.protocol === 'file:' && existsSync(url) ? pathToFileURL(realpathSync(url)) : url;
}

/** @returns what a function reads from the text of a file */
async function read<T>(source: string, parseText: (text: string) => T, redirect: 'follow' | 'error' = 'follow') {
  try {
    const url = toUrl(source);
    const signal = AbortSignal.timeout(LOAD_TIMEOUT);
    const answer = url.protocol === 'file:' ? undefined : await fetch(url, { signal, redirect });
    if (answer?.ok === false) throw new Error(fillIn(texts.errors.status, { status: answer.status }));
    const text = await (answer?.text() ?? readFile(url, 'utf8'));
    return parseText(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const { message, cause } = error as Error;
    throw new StartError('unreadable', { file: source, reason: cause instanceof Error ? cause.message : message });
  }
}

function parseContent(text: string, uniqueKeys = true): unknown {
  return /^\s*[[{]/.test(text) ? JSON.parse(text) : parse(text, { maxAliasCount: 1000, merge: true, uniqueKeys });
}

/** @returns a copy of a document whose references are changed */
function changeReferences(content: unknown, change: (reference: string) => string): unknown {
  const reviver = (name: string, part: unknown) => (name === '$ref' && typeof part === 'string' ? change(part) : part);
  return JSON.parse(JSON.stringify(content), reviver);
}

/**
 * Reads a document, into which the files that it refers to are copied; no link and no redirect leads out of their folder.
 *
 * @param allowed the folder of those files; the core refuses references to all others
 */
export async function loadDocument(source: string, allowed: string | undefined): Promise<unknown> {
  if (allowed === undefined) return read(source, parseContent);
  const [main, folder] = [toUrl(source).href, toUrl(allowed).href.replace(/\/*$/, '/')];
  const files = new Map<string, unknown>([[main, undefined]]);
  // More files are noted while those that refer to them are read.
  for (const file of files.keys()) {
    const change = (reference: string): string => {
      const [address = '', fragment = ''] = reference.split('#');
      const target = address === '' ? file : toUrl(URL.parse(address, file)?.href ?? address).href;
      if (target !== file && !target.startsWith(folder)) return reference;
      if (!files.has(target)) files.set(target, undefined);
      return `#${target === main ? '' : placeWithin('', 'x-files', target.slice(folder.length))}${fragment}`;
    };
    const redirect = file === main ? 'follow' : 'error';
    files.set(file, await read(file, (text) => changeReferences(parseContent(text), change), redirect));
  }
  const [document, ...others] = Array.from(files, ([file, content]) => [file.slice(folder.length), content] as const);
  return isObject(document?.[1]) ? { ...document[1], 'x-files': Object.fromEntries(others) } : document?.[1];
}

/** @returns names that stand twice in one object, of which the last would win in silence */
function findDuplicates(file: string, text: string): readonly Fault[] {
  const parsed = parseDocument(text);
  const errors = parsed.errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  const lines = new Map(errors.map(({ pos: [start], linePos }) => [start, linePos?.[0].line]));
  const faults: Fault[] = [];
  visit(parsed, {
    Pair(_, { key }, around) {
      const line = isScalar(key) && key.range ? lines.get(key.range[0]) : undefined;
      if (line === undefined) return;
      const pointer = placeWithin('', ...around.filter(isPair).map((pair) => `${pair.key}`), `${key}`);
      faults.push({ file, pointer, message: fillIn(texts.errors.twice, { line }) });
    },
  });
  return faults;
}

/** @returns the tables of a folder, whose tags are the names of their files without the ends */
export async function loadTables(folder: string) {
  const all = await readdir(folder);
  const names = all.filter((name) => /^[^.].*\.(json|ya?ml)$/.test(name) && !name.endsWith('.schema.json')).sort();
  if (names.length === 0) throw new StartError('tables', { folder });
  const tags = names.map((name) => basename(name, extname(name)));
  const twin = names.find((_, at) => tags.indexOf(tags[at] ?? '') < at);
  if (twin !== undefined) throw new StartError('twin', { name: twin });
  const tables = names.map((name, at) =>
    read(join(folder, name), (text) => {
      return { tag: tags[at] ?? '', name, content: parseContent(text, false), duplicates: findDuplicates(name, text) };
    }),
  );
  return Promise.all(tables);
}
