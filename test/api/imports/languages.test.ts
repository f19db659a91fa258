/** Files in every language that there is a table of: whoever adds one gets imports in its words. */
import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openApp } from '../../support/app/app.ts';
import type { LooseTable } from '../../support/language/locale-folder.ts';
import { tableOf } from '../../support/language/locale-folder.ts';
import { allTags, folderWith, tableIn } from '../../support/language/new-languages.ts';

const tables: readonly (readonly [tag: string, table: LooseTable])[] = allTags.map((tag) => [
  tag,
  ['en', 'es'].includes(tag) ? tableOf(tag) : tableIn(tag),
]);
const DELIMITERS: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t' };

let app: Awaited<ReturnType<typeof openApp>>;
beforeAll(async () => {
  const locales = folderWith(...allTags);
  app = await openApp({ locales });
  return async () => {
    await app.close();
    rmSync(locales, { recursive: true });
  };
});

describe.each(tables)('%s', (tag, table) => {
  const { fields, report } = table;
  const { identifier, brand, model, year, clima } = fields.cars;
  const path = `/api/${encodeURIComponent(table.paths.cars)}`;
  const delimiter = DELIMITERS[table.csv?.delimiter ?? 'comma'] ?? ',';
  const rowOf = (...cells: readonly string[]) => cells.join(delimiter);
  const post = (file: string, headers: Record<string, string> = {}) =>
    app.send('POST', path, file, { 'content-type': 'text/csv', ...headers });
  const says = (phrase: string, ...values: readonly (readonly [string, string])[]): string =>
    values.reduce(
      (text, [name, value]) => text.replaceAll(`{${name}}`, value),
      table.phrases[phrase].other ?? table.phrases[phrase],
    );

  test('a file is read in its words, and the report is in them', async () => {
    const file = [
      rowOf(model, clima, identifier, year, brand),
      rowOf('Ibiza', 'true', `${tag} 1`, '2008', 'Seat'),
      rowOf('León', '', `${tag} 2`, '1885', 'Seat'),
    ].join('\r\n');
    const { status, json, headers } = await post(file, { prefer: 'handling=lenient' });
    const error = {
      [report.row]: 3,
      [report.column]: year,
      [report.value]: '1885',
      [report.code]: 'invalid-value',
      [report.detail]: says('value-integer', ['word', year], ['min', '1886'], ['max', '2100']),
    };
    const { other, one = other } = table.phrases['rows-left-out'];
    expect([status, json]).toEqual([
      200,
      {
        [report.created]: 1,
        [report.updated]: 0,
        [report.unchanged]: 0,
        [report.skipped]: 0,
        [report.deleted]: 0,
        [report.rejected]: 1,
        [report.cleared]: 0,
        [report.detail]: one.replace('{count}', '1').replace('{limit}', '100'),
        [report.reasons]: [{ [report.count]: 1, ...error }],
        [report.errors]: [error],
      },
    ]);
    expect([headers.get('content-language'), headers.get('preference-applied')]).toEqual([tag, 'handling=lenient']);
    const stored = await app.send('GET', `/api/cars/${encodeURIComponent(`${tag} 1`)}`);
    expect(stored.json).toEqual({ identifier: `${tag} 1`, brand: 'Seat', model: 'Ibiza', year: 2008, clima: true });
  });

  test('a word of another language is told which one is right', async () => {
    for (const [other, { fields: theirs }] of tables) {
      const word = theirs.cars.doors;
      if (other === tag || other === 'en' || Object.values(fields.cars).includes(word)) continue;
      const { status, json } = await post(rowOf(brand, model, word));
      expect([status, json.code, json.suggestion ?? json.errors[0].suggestion]).toEqual([
        400,
        'unknown-field',
        fields.cars.doors,
      ]);
    }
  });
});
