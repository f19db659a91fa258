/** A catalogue that `init` writes is started and tested as its README says; the package is linked, as npm links a folder. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../../support/commands/given.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { launch, project, sendTo } from '../../support/process/service.ts';

const init = async (args: readonly string[], bin = 'src/bin.ts') =>
  (await runHere(bin, ['init', ...args], { LANG: 'C.UTF-8' })).slice(0, 2);

const catalogues = [
  [
    'books',
    ['--languages', 'en,es,pt', '--words', 'books=libros,livros', '--words', 'name=título,nome'],
    { libros: { 'identifier-es': 'a', título: 'One' }, livros: { 'identifier-pt': 'a', nome: 'One' } },
    ['es.json: identifier-es', 'es.json: price-es', 'pt.json: identifier-pt', 'pt.json: price-pt'],
  ],
  [
    'flats',
    ['--languages', 'es,en', '--words', 'flats=pisos'],
    { pisos: { 'identifier-es': 'a', 'name-es': 'One' } },
    ['es.json: identifier-es', 'es.json: name-es', 'es.json: price-es'],
  ],
  ['boats', [], {}, []],
] as const;

test.each(catalogues)('%s with %j', async (collection, options, others, untranslated) => {
  const folder = join(temporaryFolder(), 'shop');
  const [code, text] = await init([folder, '--collection', collection, ...options]);
  expect([code, text]).toEqual([0, expect.stringContaining(`cd ${folder} && npm install && npm test && npm start\n`)]);
  const words = String(text).matchAll(/to be translated: locales\/([a-z]+\.json: [a-z]+-[a-z]+)$/gm);
  expect([...words].map(([, line]) => line)).toEqual(untranslated);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const line of untranslated) expect(readme).toContain(`- locales/${line}\n`);

  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(project, join(folder, 'node_modules/car-dealer-catalogue'));
  // One catalogue with other languages and one without any are enough.
  if (collection !== 'flats') {
    const tested = launch({ cwd: folder, args: ['--test'] });
    expect([await tested.exit, tested.output()]).toEqual([0, expect.stringMatching(/pass 1\n.*fail 0/s)]);
  }
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const service = launch({ cwd: folder, command: 'sh', args: ['-c', scripts.start] });
  const [, origin] = await service.wrote(/serving (http:\/\/[^/]*)\/.*\n/);
  const created = await sendTo(`${origin}`)('POST', `/api/${collection}`, { identifier: 'a', name: 'One' });
  expect(created.status).toBe(201);
  for (const [word, item] of Object.entries(others))
    expect(await (await fetch(`${origin}/api/${word}/a`)).json()).toEqual(item);
});

test('an installed package is depended on as it was installed, and its archive is copied', async () => {
  const home = temporaryFolder();
  const root = join(home, 'node_modules/car-dealer-catalogue/dist');
  mkdirSync(root, { recursive: true });
  for (const part of ['package.json', 'examples/new', 'locales', 'packages/vocabularies/src'])
    cpSync(join(project, part), join(root, part), { recursive: true });
  // Built packages have no source; the rest of this one is the repository's.
  writeFileSync(
    join(root, 'run.mjs'),
    `import { init } from ${JSON.stringify(join(project, 'src/tools/init/init.ts'))};
     init(process.argv.slice(3), import.meta.dirname, { name: 'car-dealer-catalogue', version: '1.2.3' });`,
  );
  const initIn = async (folder: string) => {
    expect(await init([join(home, folder), '--collection', 'books'], join(root, 'run.mjs'))).toEqual([
      0,
      expect.any(String),
    ]);
    const { scripts, dependencies } = JSON.parse(readFileSync(join(home, folder, 'package.json'), 'utf8'));
    return [scripts.start, dependencies['car-dealer-catalogue']];
  };
  const command = 'car-dealer-catalogue --catalogue .';
  expect(await initIn('zero')).toEqual([command, 'file:../node_modules/car-dealer-catalogue']);
  writeFileSync(join(home, 'package.json'), '{"dependencies": {"car-dealer-catalogue": "^1.2.0"}}');
  expect(await initIn('one')).toEqual([command, '1.2.3']);
  writeFileSync(join(home, 'shop-1.tgz'), 'an archive');
  writeFileSync(join(home, 'package.json'), '{"dependencies": {"car-dealer-catalogue": "file:./shop-1.tgz"}}');
  expect(await initIn('two')).toEqual([command, 'file:shop-1.tgz']);
  expect(readFileSync(join(home, 'two/shop-1.tgz'), 'utf8')).toBe('an archive');
});

test.each([
  [['--collection', 'books'], /^Name one folder, which is new or empty\.\n$/],
  [['x', 'y', '--collection', 'books'], /^Name one folder, which is new or empty\.\n$/],
  [['x'], /^--collection must be one English word/],
  [['x', '--collection', 'Books'], /^--collection must be one English word/],
  [['x', '--collection', 'toString'], /^--collection must be /],
  [['x', '--collection', 'constructor'], /^--collection must be /],
  [['x', '--collection', 'books', '--languages', 'es,pt'], /^--languages must be .* en must be one of them/],
  [['x', '--collection', 'books', '--languages', 'en,en_GB'], /^--languages must be /],
  [
    ['x', '--collection', 'books', '--languages', 'en,es', '--words', 'books=libros,livros'],
    /^--words “books=libros,livros”/,
  ],
  [
    ['x', '--collection', 'books', '--languages', 'en,es', '--words', 'title=titulo'],
    /^--words “title=titulo”: must be one of books, identifier, name, price/,
  ],
  [['x', '--collection', 'books', '--zap'], /^“--zap” is not an option/],
])('%j is refused with 2, and nothing is written', async (args, line) => {
  expect(await init(args)).toEqual([2, expect.stringMatching(line)]);
});

const clashes = [
  ['problems', [], 'en.json: paths.problems: "problems" is a path of the service itself'],
  ['imports', [], 'en.json: paths.imports: "imports" is already the word of en.json: paths.imports'],
  ['books', ['--words', 'books=../x'], 'or contains a space, a slash, a comma, an asterisk or a control character'],
  ['books', ['--words', 'books=books'], 'es.json: paths.books: "books" is already the word of en.json: paths.books'],
  ['books', ['--words', 'name=pagina'], 'es.json: fields.books.name: "pagina" is already the word of parameters.page'],
] as const;

test.each(clashes)('%s with %j is refused, because the service would refuse it', async (collection, words, line) => {
  const folder = temporaryFolder();
  const args = [folder, '--collection', collection, '--languages', 'en,es', ...words];
  expect(await init(args)).toEqual([2, expect.stringContaining(`${line}\n`)]);
  expect(readdirSync(folder)).toEqual([]);
  expect((await init([join(folder, 'new'), ...args.slice(1)]))[0]).toBe(2);
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['boxes', 'the box'],
  ['glasses', 'the glass'],
  ['stories', 'the story'],
  ['horses', 'the horse'],
  ['sheep', 'the sheep'],
])('one of the %s is %s', async (collection, the) => {
  const folder = join(temporaryFolder(), "it's");
  const [, text] = await init([folder, '--collection', collection]);
  expect(text).toContain(`cd '${folder.replace("'", "'\\''")}' && npm install`);
  const { nouns } = JSON.parse(readFileSync(join(folder, 'locales/messages/en.json'), 'utf8'));
  expect(nouns[collection]).toEqual({ the, of: `of ${the}` });
});

test('a folder that is not empty is refused', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'mine.txt'), '');
  expect(await init([folder, '--collection', 'books'])).toEqual([2, `${folder} is not empty.\n`]);
});
