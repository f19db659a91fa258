/** Writes a catalogue that is then somebody's own: that of `examples/new`, with another collection and more languages. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { asObject } from '../../../packages/vocabularies/src/words.ts';
import { keepGeneral } from '../../gateway/locale/layers.ts';
import { collection as declare, defineCatalogue } from '../../gateway/model/catalogue.ts';
import { decimal, key, text } from '../../gateway/model/fields.ts';
import { words as packagedWords } from '../../gateway/texts/packaged.ts';
import { loadLocales } from '../../host/tables/load.ts';
import { type Say, UsageError, useFile } from '../commands/command-error.ts';
import { readArguments } from '../commands/options.ts';
import { DONE } from '../commands/run.ts';
import { runInTerminal } from '../commands/terminal.ts';

const ENGLISH = 'en';
const FIELDS = ['identifier', 'name', 'price'];
const IGNORED = 'node_modules\ndata\n';

interface Manifest {
  readonly name: string;
  readonly version: string;
}

interface Order {
  readonly folder: string;
  /** The tables of the package, whose words every catalogue has. */
  readonly locales: string;
  readonly collection: string;
  readonly otherTags: readonly string[];
  /** The words of a name, one for each of the other languages. */
  readonly words: ReadonlyMap<string, readonly string[]>;
}

/** @throws UsageError with a line for each fault */
function readOrder(
  { operands, options, parameters, faults }: ReturnType<typeof readArguments>,
  root: string,
  say: Say,
): Order {
  const lines = faults.map(([fault, values]) => say(fault, values));
  const collection = options.get('collection') ?? '';
  // A name that every object has, such as `constructor`, would be found in place of a collection.
  if (!/^[a-z][A-Za-z0-9]*$/.test(collection) || collection in {}) lines.push(say('init-collection'));
  const tags = new Set((options.get('languages') ?? ENGLISH).split(','));
  const otherTags = [...tags].filter((tag) => tag !== ENGLISH);
  if (!tags.has(ENGLISH) || !otherTags.every((tag) => /^[a-z]{2,3}(?:-[A-Za-z0-9]+)*$/.test(tag)))
    lines.push(say('init-languages'));
  const names = [collection, ...FIELDS];
  const pairs = parameters.map(([, pair]) => {
    const [name = '', list = ''] = pair.split('=');
    const translations = list.split(',');
    if (!names.includes(name) || translations.length !== otherTags.length)
      lines.push(say('init-words', { pair, known: names.join(', '), languages: otherTags.join(', ') }));
    return [name, translations] as const;
  });
  const folder = resolve(operands[0] ?? '');
  if (operands.length !== 1) lines.push(say('init-folder-needed'));
  else if (existsSync(folder) && useFile(folder, () => readdirSync(folder)).length > 0)
    lines.push(say('init-folder', { folder }));
  if (lines.length > 0) throw new UsageError(lines);
  return { folder, locales: join(root, 'locales'), collection, otherTags, words: new Map(pairs) };
}

/** @returns the package's table of a language that is served only if it is chosen */
function findMore({ locales }: Order, tag: string): object | undefined {
  const file = join(locales, 'more', `${tag}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** @returns the table of another language: whole if the library has none, then its general words may be the English ones */
function createTable(order: Order, tag: string): object {
  const { collection, otherTags, words } = order;
  const wordIn = (name: string): string => words.get(name)?.[otherTags.indexOf(tag)] ?? `${name}-${tag}`;
  const general = packagedWords[tag] ? {} : keepGeneral({ ...(findMore(order, tag) ?? packagedWords[ENGLISH]) });
  const { $schema: _, synonyms: __, paths, ...rest } = general;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, wordIn(field)]));
  return { paths: { [collection]: wordIn(collection), ...asObject(paths) }, fields: { [collection]: fields }, ...rest };
}

function listUntranslated(order: Order): readonly string[] {
  const { collection, otherTags, words } = order;
  const names = [collection, ...FIELDS].filter((name) => !words.has(name));
  return otherTags.flatMap((tag) => [
    ...names.map((name) => `locales/${tag}.json: ${name}-${tag}`),
    ...(packagedWords[tag] || findMore(order, tag)
      ? []
      : [`locales/${tag}.json: parameters, values and all else, which is English`]),
    `locales/messages/${tag}.json: sentences, as in locales/messages/en.json`,
  ]);
}

/** @returns what the nearest package above a folder says of a dependency: as it was installed, by npx too */
function findInstalled(root: string, name: string): { readonly spec: string; readonly by: string } | undefined {
  for (let by = dirname(root); by !== dirname(by); by = dirname(by)) {
    const file = join(by, 'package.json');
    const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    const spec = asObject(asObject(manifest).dependencies)[name];
    if (typeof spec === 'string') return { spec, by };
  }
  return undefined;
}

/** @returns what a new catalogue depends on, and its command; an archive is copied beside it, so that both move together */
function depend(root: string, folder: string, { name, version }: Manifest): readonly [on: string, command: string] {
  // In the repository the source runs, not the build.
  if (existsSync(join(root, 'src/bin.ts')))
    return [`file:${relative(folder, root)}`, `node node_modules/${name}/src/bin.ts`];
  const installed = findInstalled(root, name);
  // For all users of the machine: no other package depends on it.
  if (!installed) return [`file:${relative(folder, dirname(root))}`, name];
  const [, path] = /^file:(.*\.tgz)$/.exec(installed.spec) ?? [];
  if (path === undefined) return [version, name];
  const archive = resolve(installed.by, path);
  copyFileSync(archive, join(folder, basename(archive)));
  return [`file:${basename(archive)}`, name];
}

/** Puts a collection in the place of the books of the example, with its singular by the commonest rules of English. */
function rename(text: string, collection: string): string {
  const names = {
    books: collection,
    book: collection.replace(/ies$/, 'y').replace(/(?<=x|[cs]h|ss)es$|(?<=[^s])s$/, ''),
  };
  return text.replace(/\b(b|B)(ooks?)\b/g, (_, first: string, rest: string) => {
    const name = names[`b${rest}` as keyof typeof names];
    return first === 'B' ? name.charAt(0).toUpperCase() + name.slice(1) : name;
  });
}

function writeCatalogue(order: Order, root: string, manifest: Manifest, untranslated: readonly string[]): void {
  const { folder, collection, otherTags } = order;
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'examples/new'), folder, { recursive: true });
  for (const file of globSync('**/*.*', { cwd: folder }).map((name) => join(folder, name)))
    writeFileSync(file, rename(readFileSync(file, 'utf8'), collection));
  const [dependency, command] = depend(root, folder, manifest);
  const json = (file: string, content: object): void =>
    writeFileSync(join(folder, file), `${JSON.stringify(content, undefined, 2)}\n`);
  for (const tag of otherTags) json(`locales/${tag}.json`, createTable(order, tag));
  json('package.json', {
    name: `${collection.toLowerCase()}-catalogue`,
    private: true,
    type: 'module',
    scripts: { start: `${command} --catalogue .`, test: 'node --test' },
    dependencies: { [manifest.name]: dependency },
  });
  const list = untranslated.map((line) => `- ${line}\n`).join('');
  if (list !== '') writeFileSync(join(folder, 'README.md'), `\nTo be translated:\n\n${list}`, { flag: 'a' });
  for (const file of ['.gitignore', '.dockerignore']) writeFileSync(join(folder, file), IGNORED);
}

/** @returns a path as shells read it */
const quote = (path: string): string => (/^[\w./~-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** @throws LocaleError with a line for each word that the service would refuse: then nothing is written */
function checkTables({ collection, folder, locales }: Order, isNew: boolean): void {
  const fields = { identifier: key(), name: text({ max: 200 }), price: decimal({ scale: 2, min: 0, max: 1 }) };
  try {
    loadLocales(defineCatalogue(declare(collection, fields)), join(folder, 'locales'), ENGLISH, { base: locales });
  } catch (error) {
    for (const file of isNew ? [''] : readdirSync(folder)) rmSync(join(folder, file), { recursive: true });
    throw error;
  }
}

function run(args: readonly string[], root: string, manifest: Manifest, say: Say): number {
  const commandLine = readArguments(args, {
    command: 'init',
    options: ['collection', 'languages'],
    repeatable: ['words'],
    operands: [0, Number.POSITIVE_INFINITY],
  });
  if (commandLine.isHelp) {
    process.stdout.write(say('init-help', { program: manifest.name }));
    return DONE;
  }
  const order = readOrder(commandLine, root, say);
  const untranslated = listUntranslated(order);
  const isNew = !existsSync(order.folder);
  useFile(order.folder, () => writeCatalogue(order, root, manifest, untranslated));
  checkTables(order, isNew);
  for (const line of untranslated) process.stdout.write(`${say('init-untranslated', { line })}\n`);
  process.stdout.write(`${say('init-done', { folder: quote(commandLine.operands[0] ?? '') })}\n`);
  return DONE;
}

/**
 * The command `init`: sets the exit code of the process, 2 if the command line cannot be read or nothing can be written.
 *
 * @param root the folder of the package
 */
export function init(args: readonly string[], root: string, manifest: Manifest): Promise<void> {
  return runInTerminal((say) => run(args, root, manifest, say));
}
