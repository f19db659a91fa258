/**
 * A document in another language says what the English one says, as far as a program can tell: headings, tables, code, numbers and
 * links. Words of the API are compared after their translation by the tables.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import es from '../locales/es.json' with { type: 'json' };
import { readConfig, variables } from '../src/host/settings/config.ts';
import { project } from './support/process/service.ts';

const read = (file: string): string => readFileSync(join(project, file), 'utf8');
const spanish = globSync(['*.es.md', 'docs/es/*.md'], { cwd: project }).toSorted();
const englishOf = (file: string): string => file.replace('docs/es/', 'docs/').replace('.es.md', '.md');

/** The English documents that are in Spanish, too. */
const translated = new Set(spanish.map(englishOf));

/** Every text of a part of a table, by its place in it. */
const leaves = (part: object, at = ''): readonly (readonly [string, string])[] =>
  Object.entries(part).flatMap(([name, value]) =>
    typeof value === 'object' ? leaves(value, `${at}/${name}`) : [[`${at}/${name}`, String(value)]],
  );
const wordsOf = ({ paths, fields, parameters, suffixes, members, report, values }: typeof en | typeof es) =>
  new Map(leaves({ paths, fields, parameters, suffixes, members, report, values }));
const inEnglish = wordsOf(en);
const translations = new Map([...wordsOf(es)].map(([at, word]) => [word, inEnglish.get(at) ?? word]))
  .set('es', 'en')
  .set('Coche', 'Car');

/** @returns code with English words of the API, without comments, placeholders and texts for people */
const canonical = (code: string): string =>
  code
    .replaceAll(/(?:^|[ \t]+)#\s.*$/gm, '')
    .replaceAll(/"[^"\n]*"/g, (text) => (text.includes(' ') ? '"…"' : text))
    .replaceAll(/<(?!\/)[^>\n]+>/g, '<…>')
    .replaceAll(/\p{L}[\p{L}\d]*(?:_\p{L}+)*/gu, (word) => {
      const parts = word.split('_').map((part) => translations.get(part) ?? part);
      return translations.get(word) ?? parts.join('_');
    });

const FENCED = /^```(\w*)\n([\s\S]*?)^```$/gm;
const SPAN = /`([^`]+)`/g;
const spansIn = (text: string): readonly string[] =>
  [...text.matchAll(SPAN)].map(([, code = '']) => canonical(code.replaceAll(/\s+/g, ' '))).toSorted();

const LINK = /\]\((?!https?:)([^)#\s]*)[^)\s]*\)/g;

/** @returns `1,000.5` of English, and `1 000,5` of Spanish, as `1000.5` */
const numbersIn = (text: string, isSpanish: boolean): readonly string[] => {
  const plain = isSpanish
    ? text.replaceAll(/(?<=\d)\u00a0(?=\d{3})/g, '').replaceAll(/(?<=\d),(?=\d)/g, '.')
    : text.replaceAll(/(?<=\d),(?=\d{3})/g, '');
  return (plain.match(/\d+(?:\.\d+)*/g) ?? []).toSorted();
};

const partsOf = (file: string) => {
  const text = read(file);
  const isSpanish = spanish.includes(file);
  const prose = text.replaceAll(FENCED, '');
  const rows = prose.split('\n').filter((line) => line.startsWith('|'));
  const cells = rows.map((row) => row.split(/(?<!\\)\|/));
  return {
    headings: (prose.match(/^#+/gm) ?? []).join(' '),
    columns: cells.map(({ length }) => length),
    // The order of two languages in a cell is that of the document.
    names: cells.map(([, first = '']) => spansIn(first)),
    blocks: [...text.matchAll(FENCED)].map(([, kind, code = '']) => `${kind}\n${canonical(code)}`),
    code: [...new Set(spansIn(prose))],
    numbers: numbersIn(prose.replaceAll(SPAN, '').replaceAll(LINK, ''), isSpanish),
    links: [...prose.matchAll(LINK)].map(([, to = '']) => to && englishOf(join(dirname(file), to))).toSorted(),
  };
};

describe.each(spanish)('%s', (file) => {
  test('says what the English document says', () => {
    expect(partsOf(file)).toEqual(partsOf(englishOf(file)));
  });

  test('leads to documents in Spanish, and marks those in English', () => {
    const lines = read(file).split('\n');
    const faults = lines.flatMap((line) =>
      [...line.matchAll(LINK)]
        .map(([, to = '']) => join(dirname(file), to))
        .filter((to) => to.endsWith('.md') && !to.endsWith('.es.md') && !spanish.includes(to) && to !== englishOf(file))
        .filter((to) => translated.has(to) || !line.includes('en inglés')),
    );
    expect(faults).toEqual([]);
  });
});

test.each(['README.md', 'README.es.md'])('%s is read in a few minutes', (file) => {
  expect(read(file).split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1_300);
});

test('operations.md has every setting with its default', () => {
  const settings = Object.keys(variables.shape);
  const [, table = ''] = read('docs/operations.md').split('| variable | default | meaning |');
  const rows = table.split('\n\n')[0]?.match(/^\| `.*$/gm) ?? [];
  const defaults = rows.flatMap((row) => {
    const [, names = '', values = ''] = row.split('|');
    return [...names.matchAll(SPAN)].map(([, name = ''], at) => [
      name,
      values.replaceAll('`', '').split(',')[at]?.trim(),
    ]);
  });
  const shown = defaults.filter(([name = '']) => !name.endsWith('_FILE'));
  expect(shown.map(([name]) => name).toSorted()).toEqual(settings.toSorted());
  const set = shown.filter(([name, value]) => name !== 'LOCALES_DIR' && value && value !== '–');
  expect(readConfig(Object.fromEntries(set))).toMatchObject(readConfig({}));
});
