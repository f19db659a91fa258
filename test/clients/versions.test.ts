import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { nextVersion } from '../../clients/generate/versions.ts';
import { make } from '../support/clients/making.ts';
import { editedLocales } from '../support/language/locale-folder.ts';
import { temporaryFolder } from '../support/process/folder.ts';

test('a word that changes is a new major version, and is named; until then nothing is new', async () => {
  const out = temporaryFolder();
  const own = ['--out', out, '--languages', 'es'];
  expect((await make({}, ...own)).text).toBe(`catalogue-client-es 1.0.0: ${out}/es`);
  expect((await make({}, ...own)).text).toBe(`catalogue-client-es 1.0.0: ${out}/es`);
  const locales = editedLocales((table, tag) => {
    if (tag === 'es') table.fields.cars.year = 'año';
  });
  expect((await make({ locales }, ...own)).text.split('\n')).toEqual([
    `catalogue-client-es 2.0.0: ${out}/es`,
    '  fields.cars.year was “anio” and is “año”',
    '  fields.cars.year_from was “anio_desde” and is “año_desde”',
    '  fields.cars.year_to was “anio_hasta” and is “año_hasta”',
  ]);
  expect(JSON.parse(readFileSync(`${out}/es/package.json`, 'utf8')).version).toBe('2.0.0');
});

describe('the next version', () => {
  const words = { a: 'x', b: 'y' };
  test.each([
    ['the first', undefined, words, false, '1.0.0', []],
    ['nothing new', '1.2.3', words, true, '1.2.3', []],
    ['other texts', '1.2.3', words, false, '1.2.4', []],
    ['one more word', '1.2.3', { ...words, c: 'z' }, false, '1.3.0', []],
    ['another word', '1.2.3', { a: 'x', b: 'z' }, false, '2.0.0', ['b was “y” and is “z”']],
    ['a word less', '1.2.3', { a: 'x' }, false, '2.0.0', ['b was “y” and is gone']],
  ])('%s', (_, before, next, isSame, version, breaking) => {
    expect(nextVersion(before === undefined ? undefined : { version: before, words }, next, isSame)).toEqual({
      version,
      breaking,
    });
  });
});
