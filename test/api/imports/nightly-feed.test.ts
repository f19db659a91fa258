/** A file of an ERP, sent each night: what it says is what is stored, and what it does not say is told. */
import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';
import { counted, inSpanish, spanishCsv, uploader } from '../../support/app/reports.ts';

const ibiza = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, doors: 5, version: 'GT', clima: true };
const c4 = { identifier: 'b', brand: 'Citroën', model: 'C4', year: 2006 };
const app = useFreshApp({
  given: [
    ['/api/cars', ibiza],
    ['/api/cars', c4],
  ],
});

const { again } = {
  again: '«identificador» es «z», que ya está en la fila 2 del archivo.',
};

const table = (...rows: readonly string[]) => spanishCsv('identifier,brand,model,year,version', ...rows);
const report = (counts: object) => counted(counts);
const post = uploader(app.send, '/api/coches');
const cars = async () => (await app.send('GET', '/api/cars')).json;

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
});

describe('that repeats a key', () => {
  const rows = ['a,Seat,Ibiza,1999,GT', 'z,Seat,Ateca,2016,', 'a,Seat,Ibiza,2008,GT', 'z,Seat,Ateca,2018,X'] as const;

  test('is told where the row before is, without a resolution', async () => {
    const { status, json } = await post(table(rows[1], 'y,Seat,Leon,,', rows[3]));
    const error = { row: 4, column: 'identifier', value: 'z', code: 'already-exists', detail: again };
    expect([status, json.report.errores]).toEqual([422, [inSpanish(error)]]);
    expect(await cars()).toEqual([ibiza, c4]);
  });
});
