/** Reads what the commands are given: the document, the files that it may refer to, and the tables. */
import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { placeWithin } from '../document.ts';
import { isObject } from '../words.ts';

/** A command that cannot begin: its options, or a file that cannot be read. */
export class StartError extends Error {}

const LOAD_TIMEOUT = 10_000;

/** @returns a URL, also of a path; that of a file is its real one, so that no link leads out of a folder */
async function toUrl(source: string): Promise<URL> {
  const url = /^(https?|file):/.test(source) ? new URL(source) : pathToFileURL(resolve(source));
  if (url.protocol !== 'file:') return url;
  return pathToFileURL(await realpath(fileURLToPath(url)));
}

async function readText(url: URL): Promise<string> {
  if (url.protocol === 'file:') return readFile(url, 'utf8');
  const answer = await fetch(url, { signal: AbortSignal.timeout(LOAD_TIMEOUT) });
  if (!answer.ok) throw new StartError(`answered ${answer.status}`);
  return answer.text();
}

/** @returns the content of a file of JSON or YAML */
async function readContent(source: string | URL): Promise<unknown> {
  try {
    const url = typeof source === 'string' ? await toUrl(source) : source;
    const text = await readText(url);
    if (/^\s*[[{]/.test(text.replace(/^\uFEFF/, ''))) return JSON.parse(text.replace(/^\uFEFF/, ''));
    const { parse } = await import('yaml').catch(() => {
      throw new StartError('is YAML; install the package yaml, or give JSON');
    });
    return parse(text, { maxAliasCount: 1000 });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new StartError(`${source}: ${cause instanceof Error ? cause.message : message}`);
  }
}

/** Copies the files that a document refers to into it, if they stand in a folder that is allowed. */
class Bundler {
  readonly #folder: URL;
  readonly #files: Record<string, unknown> = {};
  readonly #keys = new Map<string, string>();

  constructor(folder: URL) {
    this.#folder = folder;
  }

  /** @returns a part of a document whose references lead to places of the bundle */
  async write(value: unknown, base: URL, root: string): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((part) => this.write(part, base, root)));
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(async ([name, part]) => {
      const isReference = name === '$ref' && typeof part === 'string';
      return [name, isReference ? await this.#writeReference(part, base, root) : await this.write(part, base, root)];
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  async #writeReference(reference: string, base: URL, root: string): Promise<string> {
    if (reference.startsWith('#')) return `#${root}${reference.slice(1)}`;
    const target = URL.parse(reference, base);
    if (!target) return reference;
    const { hash } = target;
    target.hash = '';
    const file = target.protocol === 'file:' ? await toUrl(target.href).catch(() => target) : target;
    const folder = this.#folder.href.replace(/\/*$/, '/');
    if (!file.href.startsWith(folder)) return reference;
    if (!this.#keys.has(file.href)) {
      const key = file.href.slice(folder.length);
      this.#keys.set(file.href, key);
      this.#files[key] = await this.write(await readContent(file), file, placeWithin('', 'x-files', key));
    }
    return `#${placeWithin('', 'x-files', this.#keys.get(file.href) ?? '')}${hash.slice(1)}`;
  }

  async bundle(content: unknown, base: URL): Promise<unknown> {
    const written = await this.write(content, base, '');
    return isObject(written) ? { ...written, 'x-files': this.#files } : written;
  }
}

/** @param allowed the folder whose files a document may refer to; the core refuses all other references */
export async function loadDocument(source: string, allowed: string | undefined): Promise<unknown> {
  const content = await readContent(source);
  if (allowed === undefined) return content;
  const folder = await toUrl(allowed).catch((error: Error) => {
    throw new StartError(`--allow-refs: ${error.message}`);
  });
  return new Bundler(folder).bundle(content, await toUrl(source));
}

/** @returns the tables of a folder by their tags, which are the names of their files */
export async function loadTables(folder: string): Promise<Record<string, unknown>> {
  const names = await readdir(folder).catch((error: Error) => {
    throw new StartError(`--tables: ${error.message}`);
  });
  const tables = names.filter((name) => /^[^.].*\.(json|ya?ml)$/.test(name) && !name.endsWith('.schema.json')).sort();
  if (tables.length === 0) throw new StartError(`--tables: ${folder} has no table such as es.json`);
  const read = tables.map(async (name) => [basename(name, extname(name)), await readContent(join(folder, name))]);
  return Object.fromEntries(await Promise.all(read));
}
