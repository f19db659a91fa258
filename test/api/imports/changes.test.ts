/** What a file changes, listed with its report: in a check as it would be, else as it was done. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';

const trees = [
  {
    list: '/api/cars',
    header: 'identifier,brand,model,year,version',
    counts: ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'rejected', 'cleared'],
    dry: 'dryRun',
    listed: 'changes',
    first: [
      '{"row":2,"key":"a","action":"created","after":{"identifier":"a","brand":"Seat","model":"Ibiza","year":2008,"version":"GT"}}',
      '{"row":3,"key":"b","action":"created","after":{"identifier":"b","brand":"Citroën","model":"C4"}}',
      '{"row":4,"key":"c","action":"created","after":{"identifier":"c","brand":"Audi","model":"A3"}}',
    ],
    second: [
      '{"row":2,"key":"a","action":"updated","before":{"year":2008,"version":"GT"},"after":{"year":2009}}',
      '{"row":4,"key":"d","action":"created","after":{"identifier":"d","brand":"Fiat","model":"5\\"0"}}',
      '{"key":"c","action":"deleted","before":{"identifier":"c","brand":"Audi","model":"A3"}}',
    ],
  },
  {
    list: '/api/coches',
    header: 'identificador;marca;modelo;anio;version',
    counts: ['creados', 'actualizados', 'sin_cambios', 'omitidos', 'eliminados', 'rechazados', 'vaciados'],
    dry: 'simulacro',
    listed: 'cambios',
    first: [
      '{"fila":2,"clave":"a","accion":"creado","despues":{"identificador":"a","marca":"Seat","modelo":"Ibiza","anio":2008,"version":"GT"}}',
      '{"fila":3,"clave":"b","accion":"creado","despues":{"identificador":"b","marca":"Citroën","modelo":"C4"}}',
      '{"fila":4,"clave":"c","accion":"creado","despues":{"identificador":"c","marca":"Audi","modelo":"A3"}}',
    ],
    second: [
      '{"fila":2,"clave":"a","accion":"actualizado","antes":{"anio":2008,"version":"GT"},"despues":{"anio":2009}}',
      '{"fila":4,"clave":"d","accion":"creado","despues":{"identificador":"d","marca":"Fiat","modelo":"5\\"0"}}',
      '{"clave":"c","accion":"eliminado","antes":{"identificador":"c","marca":"Audi","modelo":"A3"}}',
    ],
  },
] as const;

const ALL = 'resolution=replace-all; allow-deletions';
const LISTED = 'return=representation';

describe.each(trees)('what a file for $list changes', ({ list, header, counts, dry, listed, first, second }) => {
  const app = useFreshApp();
  const delimiter = header.includes(';') ? ';' : ',';
  const table = (...rows: readonly string[]) => [header, ...rows].join('\n').replaceAll(',', delimiter);
  const nights = [
    table('a,Seat,Ibiza,2008,GT', 'b,Citroën,C4,,', 'c,Audi,A3,,'),
    table('a,Seat,Ibiza,2009,', 'b,Citroën,C4,,', 'd,Fiat,"5""0",,'),
  ] as const;
  const report = (...numbers: readonly number[]) =>
    Object.fromEntries(counts.map((word, at) => [word, numbers[at] ?? 0]));
  const post = (body: string, prefer: string, headers = {}) =>
    app.send('POST', list, body, { 'content-type': 'text/csv', prefer, ...headers });
  /** The report, and the lines of the list as they were sent. */
  const reported = ({ json, text }: Awaited<ReturnType<typeof post>>) => {
    const { [listed]: changes, ...rest } = json;
    return [rest, changes && text.split('\n').slice(1, -2).join('\n')];
  };

  test('is listed each night, in a check as when it is stored, and nothing where nothing differs', async () => {
    const nightly = async (file: string, numbers: readonly number[], lines: readonly string[]) => {
      const checked = await post(file, `${ALL}, handling=check, ${LISTED}`);
      expect(reported(checked)).toEqual([{ [dry]: true, ...report(...numbers) }, lines.join(',\n')]);
      const done = await post(file, `${ALL}, ${LISTED}`);
      expect(reported(done)).toEqual([report(...numbers), lines.join(',\n')]);
      expect(done.headers.get('preference-applied')).toBe(`${ALL}, ${LISTED}`);
    };
    await nightly(nights[0], [3], first);
    await nightly(nights[1], [1, 1, 1, 0, 1, 0, 1], second);
    await nightly(nights[1], [0, 0, 3], []);
  });

  test('of an array is listed, too', async () => {
    const sent = first.map((line) => Object.values(JSON.parse(line)).at(-1));
    const done = await app.send('POST', list, sent, { prefer: LISTED });
    expect(reported(done)).toEqual([
      report(3),
      first.map((line, at) => line.replace(`${at + 2}`, `${at + 1}`)).join(',\n'),
    ]);
  });

  test('is what becomes of the row that counts, of good rows alone', async () => {
    const rows = table('a,Seat,Ibiza,1999,', 'b,,,x,', 'a,Seat,Ibiza,2008,GT');
    const done = await post(rows, `resolution=merge-duplicates, handling=lenient, ${LISTED}`);
    expect(reported(done)[1]).toBe(first[0].replace('2', '4'));
  });

  test.each(['merge-duplicates', 'replace-all; allow-deletions'])(
    'has each deletion once with %s',
    async (resolution) => {
      await post(nights[0], ALL);
      const word = list === '/api/cars' ? 'deleted' : 'eliminado';
      const rows = [`${header}${delimiter}${word}`, 'a,,,,,true', 'c,,,,,true', 'b,Citroën,C4,,,', 'a,,,,,true'];
      const file = rows.join('\n').replaceAll(',', delimiter);
      const keys = ({ json }: Awaited<ReturnType<typeof post>>) => {
        const key = list === '/api/cars' ? 'key' : 'clave';
        return json[listed].map((change: Readonly<Record<string, unknown>>) => change[key]);
      };
      const checked = await post(file, `resolution=${resolution}, handling=check, ${LISTED}`);
      expect([checked.json[counts[4]], keys(checked)]).toEqual([2, ['a', 'c']]);
      const done = await post(file, `resolution=${resolution}, ${LISTED}`);
      expect([done.json[counts[4]], keys(done)]).toEqual([2, ['a', 'c']]);
      expect((await app.send('GET', '/api/cars')).json.length).toBe(1);
    },
  );

  test('is not listed unless asked for, where nothing is stored, or by a request that is sent again', async () => {
    expect(await post(nights[0], 'return=minimal')).toMatchObject({ status: 200, json: report(3) });
    const refused = await post(nights[0], LISTED);
    expect([refused.status, listed in refused.json, listed in refused.json.report]).toEqual([422, false, false]);
    const key = { 'idempotency-key': 'night' };
    const prefer = `${ALL}, ${LISTED}`;
    expect(reported(await post(nights[1], prefer, key))[1]).toBe(second.join(',\n'));
    const again = await post(nights[1], prefer, key);
    expect(reported(again)).toEqual([report(1, 1, 1, 0, 1, 0, 1), undefined]);
    expect([again.headers.get('preference-applied'), again.headers.get('idempotency-replayed')]).toEqual([ALL, 'true']);
    expect((await post(nights[1], ALL, key)).json).toEqual(report(1, 1, 1, 0, 1, 0, 1));
  });
});

describe('without a folder for temporary files', () => {
  const app = useFreshApp();
  const { TMPDIR } = process.env;
  beforeAll(() => {
    process.env.TMPDIR = '/nowhere';
  });
  afterAll(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });

  test.each([
    [
      '/api/cars',
      'text/csv',
      'identifier,brand,model\na,Seat,Ibiza',
      'There is no room to keep the file while it is read. Nothing of it was stored.',
    ],
    [
      '/api/coches',
      'application/json',
      '[{"identificador":"a","marca":"Seat","modelo":"Ibiza"}]',
      'No hay espacio para guardar el archivo mientras se lee. No se ha guardado nada de él.',
    ],
  ])('nothing of a file for %s is stored, and its client reads why', async (path, type, file, detail) => {
    const { status, json, headers } = await app.send('POST', path, file, { 'content-type': type });
    expect([status, json.code, json.detail]).toEqual([503, 'unavailable', detail]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await app.send('GET', '/api/cars')).json).toEqual([]);
  });
});
