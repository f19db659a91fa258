/** A file of an ERP, sent each night: what it says is what is stored, and what it does not say is told. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { counted, csvIn, reportIn, reportWord, uploader } from '../../support/app/reports.ts';
import { en, es } from '../../support/app/trees.ts';

const ibiza = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, doors: 5, version: 'GT', clima: true };
const c4 = { identifier: 'b', brand: 'Citroën', model: 'C4', year: 2006 };
const app = useFreshApp({
  given: [
    ['/api/cars', ibiza],
    ['/api/cars', c4],
  ],
});

const trees = [
  { tree: en, missing: '“brand” is required.', again: '“identifier” is “z”, which is already in row 2 of the file.' },
  {
    tree: es,
    missing: '«marca» es obligatorio.',
    again: '«identificador» es «z», que ya está en la fila 2 del archivo.',
  },
] as const;

describe.each(trees)('a nightly file in $tree.tag', ({ tree, missing, again }) => {
  const table = (...rows: readonly string[]) => csvIn(tree, 'identifier,brand,model,year,version', ...rows);
  const report = (counts: object) => counted(tree, counts);
  const post = uploader(app.send, tree.cars);
  const cars = async () => (await app.send('GET', '/api/cars')).json;
  const errors = reportWord(tree, 'errors');

  describe('with empty cells', () => {
    const { year: _, version: __, ...cleared } = ibiza;
    const file = table('a,Seat,Ibiza,,', 'b,Citroën,C4,2006,');

    test.each([
      ['resolution=replace-all', { updated: 1, unchanged: 1, cleared: 2 }, cleared],
      ['resolution=merge-duplicates', { unchanged: 2 }, ibiza],
      ['resolution=merge-duplicates, absent-cells=clear', { updated: 1, unchanged: 1, cleared: 2 }, cleared],
    ])('%s clears what the header has, or leaves it', async (prefer, counts, first) => {
      const dry = await post(file, `${prefer}, handling=check`);
      expect([dry.status, dry.json]).toEqual([200, report({ dryRun: true, ...counts })]);
      expect(await cars()).toEqual([ibiza, c4]);
      const done = await post(file, prefer);
      expect([done.status, done.json, done.headers.get('preference-applied')]).toEqual([200, report(counts), prefer]);
      expect(await cars()).toEqual([first, c4]);
    });

    test('a program that quotes every cell writes no empty text', async () => {
      const quoted = table('a,Seat,Ibiza,2008,', 'b,Citroën,C4,2006,')
        .replace(/^|$|[;,]/gm, '"$&"')
        .replace(/^""|""$/gm, '"');
      const counts = { updated: 1, unchanged: 1, cleared: 1 };
      expect((await post(quoted, 'resolution=replace-all')).json).toEqual(report(counts));
      const { version: ___, ...plain } = ibiza;
      expect(await cars()).toEqual([plain, c4]);
      const { json } = await post(table('b,Citroën,C4,2006,""'), 'resolution=merge-duplicates');
      expect(json).toEqual(report({ updated: 1 }));
      expect(await cars()).toEqual([plain, { ...c4, version: '' }]);
    });

    test('one that a car must have is the error of its row', async () => {
      const { status, json } = await post(table('a,,Ibiza,,', 'b,Citroën,C4,2006,'), 'resolution=replace-all');
      const error = reportIn(tree, { row: 2, column: 'brand', code: 'missing-field', detail: missing });
      expect([status, json.code, json.report[errors]]).toEqual([422, 'rejected-rows', [error]]);
      expect(await cars()).toEqual([ibiza, c4]);
    });
  });

  describe('that repeats a key', () => {
    const rows = ['a,Seat,Ibiza,1999,GT', 'z,Seat,Ateca,2016,', 'a,Seat,Ibiza,2008,GT', 'z,Seat,Ateca,2018,X'] as const;

    test('is merged by the last valid row of each alone', async () => {
      const file = table(...rows, 'z,Seat,Ateca,never,');
      const { json } = await post(file, 'resolution=merge-duplicates, handling=lenient');
      const repeated = [
        { row: 2, key: 'a', usedRow: 4 },
        { row: 3, key: 'z', usedRow: 5 },
      ];
      expect(json).toMatchObject(report({ created: 1, unchanged: 1, skipped: 2, rejected: 1, repeated }));
      const ateca = { identifier: 'z', brand: 'Seat', model: 'Ateca', year: 2018, version: 'X' };
      expect(await cars()).toEqual([ibiza, c4, ateca]);
    });

    test('is told where the row before is, without a resolution', async () => {
      const { status, json } = await post(table(rows[1], 'y,Seat,Leon,,', rows[3]));
      const error = { row: 4, column: 'identifier', value: 'z', code: 'already-exists', detail: again };
      expect([status, json.report[errors]]).toEqual([422, [reportIn(tree, error)]]);
      expect(await cars()).toEqual([ibiza, c4]);
    });
  });
});
