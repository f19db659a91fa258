/** A client as a package: its source is compiled, so that whoever has it needs no compiler. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { clientSource } from './client.ts';
import type { Deployment } from './deployment.ts';
import { nextVersion, usedWords } from './versions.ts';
import type { ClientWords } from './words.ts';

const runtime = fileURLToPath(new URL('../runtime', import.meta.url));
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const OPTIONS = [
  ...['--target', 'es2022', '--lib', 'es2023,dom,dom.iterable,dom.asynciterable', '--ignoreConfig'],
  ...['--module', 'node20', '--declaration', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
  '--rewriteRelativeImportExtensions',
];

/** The files of a package by their names. */
type Files = Readonly<Record<string, string>>;

const filesIn = (folder: string): Files =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** @returns what the compiler makes of a client and of what all clients share */
const compile = async (source: string): Promise<Files> => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    cpSync(runtime, folder, { recursive: true });
    writeFileSync(join(folder, 'index.ts'), source);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const out = join(folder, 'out');
    await promisify(execFile)(process.execPath, [compiler, ...OPTIONS, '--outDir', out, join(folder, 'index.ts')]);
    return filesIn(out);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const packageOf = (name: string, version: string, title: string): string => {
  const content = {
    name,
    version,
    description: title,
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20.3' },
    exports: { '.': { types: './index.d.ts', default: './index.js' }, './words.json': './words.json' },
    files: ['*.js', '*.d.ts', 'words.json'],
    sideEffects: false,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
};

export interface Made {
  readonly files: Files;
  readonly version: string;
  /** The words that changed since the version before, for people. */
  readonly breaking: readonly string[];
}

/**
 * @param name of the package
 * @param folder where the version before is, if there is one
 */
export const makePackage = async (
  deployment: Deployment,
  words: ClientWords,
  name: string,
  folder: string,
): Promise<Made> => {
  const { source, types } = clientSource(deployment, words);
  const used = usedWords(deployment.dictionary, types, words);
  const code = {
    ...(await compile(source)),
    'words.json': `${JSON.stringify(used, null, 1)}\n`,
  };
  const before = existsSync(join(folder, 'words.json')) ? filesIn(folder) : {};
  const isSame = Object.entries(code).every(([file, text]) => before[file] === text);
  const previous = before['package.json'] && {
    version: JSON.parse(before['package.json']).version,
    words: JSON.parse(before['words.json'] ?? '{}'),
  };
  const { version, breaking } = nextVersion(previous || undefined, used, isSame);
  const title = `${deployment.document.info.title} (${deployment.dictionary.tag})`;
  return { files: { ...code, 'package.json': packageOf(name, version, title) }, version, breaking };
};

export const writePackage = (folder: string, { files }: Made): void => {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
};
