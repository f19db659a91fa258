/** The command line of the program, which is `src/bin.ts` in the repository. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { runHere } from '../../support/commands/given.ts';
import { temporaryFolder } from '../../support/process/folder.ts';
import { launch, project } from '../../support/process/service.ts';

const bin = join(project, 'src/bin.ts');
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));

/** What the program says, for which no process is needed. A command is loaded, and so run, once. */
const say = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  (await runHere('src/bin.ts', args, { LANG: 'C.UTF-8', ...env })).slice(0, 2);
const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { exit, output } = launch({ args: [bin, ...args], env: { LANG: 'C.UTF-8', ...env } });
  return [await exit, output()] as const;
};
const spanish = { LC_ALL: 'es_ES.UTF-8' };

test.each([
  [['zap'], {}, /^There is no command “zap”; there are: serve, import, .*\n$/],
  [['zap'], spanish, /^No existe el comando «zap»; .*\n$/],
  [['--prot', '3000'], {}, /^“--prot” is not an option of this command\.\n$/],
  [['--prot', '3000'], spanish, /^«--prot» no es una opción de este comando\.\n$/],
  [['--port'], {}, /^--port needs a value\.\n$/],
  [['serve', 'cars'], {}, /^“serve” takes nothing but options\.\n$/],
])('refuses %j in %j with one line and 2', async (args, env, line) => {
  expect(await say(args, env)).toEqual([2, expect.stringMatching(line)]);
});

test('a command refuses what is none of its options as the program calls it', async () => {
  const said =
    /“car-dealer-catalogue verify” takes nothing but options\.\n“car-dealer-catalogue verify --help” explains/;
  expect(await run(['verify', 'cars'])).toEqual([2, expect.stringMatching(said)]);
});

test('says its version, and lists its commands in the language of the terminal', async () => {
  expect(await say(['--version'])).toEqual([0, `${manifest.version}\n`]);
  for (const [env, what, least] of [
    [{}, 'Serves a catalogue', 8],
    [spanish, 'Sirve un catálogo', 8],
  ] as const) {
    const [code, text] = await say(['--help'], env);
    expect([code, text]).toEqual([0, expect.stringContaining(what)]);
    expect(String(text).match(/^ {2}(?:serve|import|backup|key|verify|init|--\w+)\b/gm)?.length).toBeGreaterThanOrEqual(
      least,
    );
  }
});

test.each([['import'], ['export'], ['backup'], ['restore'], ['key'], ['hook'], ['verify'], ['words']])(
  '%s is called as the program calls it, in its own help too',
  async (command) => {
    const [code, text] = await say([command, '--help']);
    expect([code, text]).toEqual([0, expect.stringMatching(new RegExp(`^car-dealer-catalogue ${command} `))]);
    expect(text).not.toContain('npm run');
  },
);

test('serves a catalogue on a port, with a database, as its options say; commands work on the same', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'shop.db');
  const catalogue = join(project, 'examples/dealer');
  const first = ['--database', file, '--catalogue', catalogue];
  const service = launch({ args: [bin, '--port', '0', ...first], env: { PORT: 'none', DATABASE_URL: 'none' } });
  const [, origin = ''] = await service.wrote(/serving (http:\/\/[^/]*)\/.*\n/);
  expect((await fetch(`${origin}/api/sedes`)).status).toBe(200);
  service.child.kill('SIGTERM');
  expect(await service.exit).toBe(0);
  for (const options of [first, ['--database', `sqlite:${file}`, '--catalogue', join(catalogue, 'catalogue.ts')]])
    expect(await run([...options, 'verify'], { DATABASE_URL: 'none' })).toEqual([0, expect.stringContaining(file)]);
});

test('on an older Node.js one line says which it needs, before anything else is loaded', async () => {
  const code = stripTypeScriptTypes(readFileSync(bin, 'utf8'));
  // What Node.js 18 has, too.
  const { module } = parseSync('bin.js', code, { sourceType: 'module' });
  expect(module.staticImports.map(({ moduleRequest }) => moduleRequest.value)).toEqual(['node:fs', 'node:url']);
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'dist/bin.mjs'), code);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'shop', engines: { node: '>=100.9.0' } }));
  const { exit, output } = launch({ args: [join(folder, 'dist/bin.mjs')] });
  const own = process.versions.node;
  expect([await exit, output()]).toEqual([2, `shop needs Node.js 100.9.0 or later; this is ${own}\n`]);
});
