import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../support/process/folder.ts';

const parity = fileURLToPath(new URL('../../../packages/parity', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));

/** What somebody writes who has installed the kit: it is run, and its types are checked. */
const program = `
import { listNames, type Dictionary } from 'vocabulary-parity/dictionary';
import { translate } from 'vocabulary-parity/translate';
import { canonical } from 'vocabulary-parity/canonical';
import { assertSaysTheSame } from 'vocabulary-parity/same';
import { matchers } from 'vocabulary-parity/matchers';
import vectors from 'vocabulary-parity/vectors.json' with { type: 'json' };
const es = vectors.dictionaries.es as unknown as Dictionary;
const [said] = vectors.answers;
if (said) {
  const spoken = { answer: said.answer as never, language: es };
  assertSaysTheSame(spoken, spoken);
  if (!matchers.toSayTheSameAs(spoken, spoken).pass) throw new Error('not the same');
  console.log(translate({ url: '/api/coches?ordenar_por=anio' }, es, listNames(es)).url, canonical(said.answer as never, es).status);
}
`;

test('the kit is packed, installed in an empty project without a network, used and understood by TypeScript', () => {
  const folder = temporaryFolder();
  const run = (file: string, ...given: readonly string[]) =>
    execFileSync(file, given, { cwd: folder, encoding: 'utf8' });
  const [packed] = JSON.parse(run('npm', 'pack', parity, '--json', '--pack-destination', folder));
  expect(packed.files.map(({ path }: { path: string }) => path)).toContain('vectors.json');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${packed.filename}`);
  mkdirSync(join(folder, 'test'));
  writeFileSync(join(folder, 'test/use.ts'), program);
  for (const [module, moduleResolution] of [
    ['node20', 'node16'],
    ['esnext', 'bundler'],
  ] as const) {
    const options = ['--strict', '--noEmit', '--skipLibCheck', 'false', '--resolveJsonModule', '--target', 'es2024'];
    run(
      tsc,
      ...options,
      '--lib',
      'es2024,dom',
      '--module',
      module,
      '--moduleResolution',
      moduleResolution,
      'test/use.ts',
    );
  }
  expect(run(process.execPath, 'test/use.ts')).toBe('/api/cars?sort_by=year 200\n');
});
