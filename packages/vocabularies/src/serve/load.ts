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

/** @returns the content of a file of JSON or YAML */
async function readContent(source: string, redirect: 'follow' | 'error' = 'follow'): Promise<unknown> {
  try {
    const url = await toUrl(source);
    const signal = AbortSignal.timeout(LOAD_TIMEOUT);
    const answer = url.protocol === 'file:' ? undefined : await fetch(url, { signal, redirect });
    if (answer?.ok === false) throw new StartError(`answered ${answer.status}`);
    const text = (await (answer?.text() ?? readFile(url, 'utf8'))).replace(/^\uFEFF/, '');
    if (/^\s*[[{]/.test(text)) return JSON.parse(text);
    const { parse } = await import('yaml').catch(() => {
      throw new StartError('is YAML; install the package yaml, or give JSON');
    });
    return parse(text, { maxAliasCount: 1000 });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new StartError(`${source}: ${cause instanceof Error ? cause.message : message}`);
  }
}

/** Copies the files of a folder into the document that refers to them; no redirect leads out of it. */
class Bundler {
  /** The address of the folder, with a slash at its end. */
  readonly #folder: string;
  readonly files = new Map<string, unknown>();

  constructor(folder: string) {
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
    const [address = '', fragment = ''] = URL.parse(reference, base)?.href.split('#') ?? [];
    const { href } = await toUrl(address).catch(() => ({ href: address }));
    if (!href.startsWith(this.#folder)) return reference;
    const key = href.slice(this.#folder.length);
    const place = placeWithin('', 'x-files', key);
    if (!this.files.has(key)) {
      this.files.set(key, undefined);
      this.files.set(key, await this.write(await readContent(href, 'error'), new URL(href), place));
    }
    return `#${place}${fragment}`;
  }
}

/** @param allowed the folder whose files a document may refer to; the core refuses all other references */
export async function loadDocument(source: string, allowed: string | undefined): Promise<unknown> {
  const content = await readContent(source);
  if (allowed === undefined) return content;
  const folder = await toUrl(allowed).catch((error: Error) => {
    throw new StartError(`--allow-refs: ${error.message}`);
  });
  const bundler = new Bundler(folder.href.replace(/\/*$/, '/'));
  const written = await bundler.write(content, await toUrl(source), '');
  return isObject(written) ? { ...written, 'x-files': Object.fromEntries(bundler.files) } : written;
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
