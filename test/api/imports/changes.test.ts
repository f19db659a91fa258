/** What a file changes, listed with its report: in a check as it would be, else as it was done. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { type TestResponse, useFreshApp } from '../../support/app/app.ts';
import { counted, csvIn, reportIn, reportWord, type Tree, uploader } from '../../support/app/reports.ts';
import { trees } from '../../support/app/trees.ts';

const ALL = 'resolution=replace-all; allow-deletions';
const LISTED = 'return=representation';
const HEADER = 'identifier,brand,model,year,version';
const seat = { identifier: 'a', brand: 'Seat', model: 'Ibiza', year: 2008, version: 'GT' };
const audi = { identifier: 'c', brand: 'Audi', model: 'A3' };

/** Lines of the list, as they are written. */
const linesIn = (tree: Tree, changes: readonly object[]) =>
  changes.map((change) => JSON.stringify(reportIn(tree, change))).join(',\n');
const first = [
  { row: 2, key: 'a', action: 'created', after: seat },
  { row: 3, key: 'b', action: 'created', after: { identifier: 'b', brand: 'Citroën', model: 'C4' } },
  { row: 4, key: 'c', action: 'created', after: audi },
];
const second = [
  { row: 2, key: 'a', action: 'updated', before: { year: 2008, version: 'GT' }, after: { year: 2009 } },
  { row: 4, key: 'd', action: 'created', after: { identifier: 'd', brand: 'Fiat', model: '5"0' } },
  { key: 'c', action: 'deleted', before: audi },
];
const SECOND = { created: 1, updated: 1, unchanged: 1, deleted: 1, cleared: 1 };

describe.each(trees)('what a file for $cars changes', (tree) => {
  const app = useFreshApp();
  const post = uploader(app.send, tree.cars);
  const table = (...rows: readonly string[]) => csvIn(tree, HEADER, ...rows);
  const nights = [
    table('a,Seat,Ibiza,2008,GT', 'b,Citroën,C4,,', 'c,Audi,A3,,'),
    table('a,Seat,Ibiza,2009,', 'b,Citroën,C4,,', 'd,Fiat,"5""0",,'),
  ] as const;
  const listed = reportWord(tree, 'changes');
  /** The report, and the lines of the list as they were sent. */
  const reported = ({ json, text }: TestResponse) => {
    const { [listed]: changes, ...rest } = json;
    return [rest, changes && text.split('\n').slice(1, -2).join('\n')];
  };

  test('is listed each night, in a check as when it is stored, and nothing where nothing differs', async () => {
    const nightly = async (file: string, counts: object, changes: readonly object[]) => {
      const checked = await post(file, `${ALL}, handling=check, ${LISTED}`);
      expect(reported(checked)).toEqual([counted(tree, { dryRun: true, ...counts }), linesIn(tree, changes)]);
      const done = await post(file, `${ALL}, ${LISTED}`);
      expect(reported(done)).toEqual([counted(tree, counts), linesIn(tree, changes)]);
      expect(done.headers.get('preference-applied')).toBe(`${ALL}, ${LISTED}`);
    };
    await nightly(nights[0], { created: 3 }, first);
    await nightly(nights[1], SECOND, second);
    await nightly(nights[1], { unchanged: 3 }, []);
  });

  test('of an array is listed, too', async () => {
    const sent = first.map(({ after }) => reportIn(tree, { after })[reportWord(tree, 'after')]);
    const done = await post(sent, LISTED, 'application/json');
    const changes = first.map((change) => ({ ...change, row: change.row - 1 }));
    expect(reported(done)).toEqual([counted(tree, { created: 3 }), linesIn(tree, changes)]);
  });

  test.each(['merge-duplicates', 'replace-all; allow-deletions'])(
    'has each deletion once with %s',
    async (resolution) => {
      await post(nights[0], ALL);
      const rows = ['a,,,,,true', 'c,,,,,true', 'b,Citroën,C4,,,', 'a,,,,,true'];
      const file = csvIn(tree, `${HEADER},deleted`, ...rows);
      for (const handling of [', handling=check', '']) {
        const { json } = await post(file, `resolution=${resolution}${handling}, ${LISTED}`);
        const keys = json[listed].map((change: Record<string, unknown>) => change[reportWord(tree, 'key')]);
        expect([json[reportWord(tree, 'deleted')], keys]).toEqual([2, ['a', 'c']]);
      }
      expect((await app.send('GET', '/api/cars')).json.length).toBe(1);
    },
  );

  test('is not listed unless asked for, where nothing is stored, or by a request that is sent again', async () => {
    expect(await post(nights[0], 'return=minimal')).toMatchObject({ status: 200, json: counted(tree, { created: 3 }) });
    const refused = await post(nights[0], LISTED);
    expect([refused.status, listed in refused.json, listed in refused.json.report]).toEqual([422, false, false]);
    const send = (prefer: string) => post(nights[1], prefer, 'text/csv', { 'idempotency-key': 'night' });
    expect(reported(await send(`${ALL}, ${LISTED}`))[1]).toBe(linesIn(tree, second));
    const again = await send(`${ALL}, ${LISTED}`);
    expect(reported(again)).toEqual([counted(tree, SECOND), undefined]);
    expect([again.headers.get('preference-applied'), again.headers.get('idempotency-replayed')]).toEqual([ALL, 'true']);
    expect((await send(ALL)).json).toEqual(counted(tree, SECOND));
  });

  test('without a folder for temporary files nothing is stored, and its client reads why', async () => {
    const { TMPDIR } = process.env;
    onTestFinished(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    });
    process.env.TMPDIR = '/nowhere';
    const { status, json, headers } = await post(nights[0]);
    const detail = {
      en: 'There is no room to keep the file while it is read. Nothing of it was stored.',
      es: 'No hay espacio para guardar el archivo mientras se lee. No se ha guardado nada de él.',
    };
    expect([status, json.code, json.detail]).toEqual([503, 'unavailable', detail[tree.tag]]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await app.send('GET', '/api/cars')).json).toEqual([]);
  });
});
