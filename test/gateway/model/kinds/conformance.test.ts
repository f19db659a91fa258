/** What every kind of field does, in every format, in both languages and on both stores. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mapStore } from '../../../../examples/mounted/store/map-store.ts';
import { bilingual } from '../../../../src/gateway/bilingual.ts';
import { openApp, type Send } from '../../../support/app/app.ts';
import { everyKind, everyKindTables } from '../../../support/language/every-kind.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface Case {
  readonly words: readonly [en: string, es: string];
  /** The members of three items in JSON, in English and in Spanish; the same in both where there is one. */
  readonly json: readonly (readonly [en: string, es?: string])[];
  /** The same in CSV. */
  readonly csv: readonly (readonly [en: string, es?: string])[];
  /** Other texts that a file in Spanish may have for the first item. */
  readonly read?: readonly string[];
  /** The first two in order, counted from 0; by the words of each language. */
  readonly order?: readonly [en: string, es: string];
  /** A range that only the second item is in. */
  readonly range?: readonly [from: string, to: string];
  /** Of what is not equal to what filters find it by: texts of filters, and what each finds. Such values have no groups. */
  readonly found?: readonly (readonly [sent: string, keys: readonly string[]])[];
  /** JSON values that are refused, and what the error says in Spanish. */
  readonly refused: readonly (readonly [sent: unknown, detail: string, suggestion?: string])[];
  /** The same of the texts of a filter. */
  readonly unreadable?: readonly (readonly [sent: string, detail: string, suggestion?: string])[];
}

const DECIMAL = '«precio» debe ser un número entre 0 y 1\u{a0}000\u{a0}000, con 2 decimales como máximo.';
const TIMESTAMP =
  '«revisado» debe ser una fecha y hora con zona horaria, entre 0000-01-01T00:00:00Z y 9999-12-31T23:59:59.999Z, con este mismo formato.';
const CHOICE = '«aparejo» debe ser uno de estos valores: balandra, queche, a motor, ketch.';
const LIST =
  '«equipamiento» debe ser una lista de 3 textos como máximo, de entre 1 y 30 caracteres cada uno y sin caracteres de control.';

const cases: Readonly<Record<string, Case>> = {
  text: {
    words: ['name', 'nombre'],
    json: [['"Aurora"'], ['"Ñu; \\"x\\""'], ['"brisa"']],
    csv: [['Aurora'], ['"Ñu; ""x"""'], ['brisa']],
    order: ['021', '021'],
    refused: [
      [5, '«nombre» debe ser un texto de entre 1 y 60 caracteres.', '"5"'],
      ['x'.repeat(61), '«nombre» debe ser un texto de entre 1 y 60 caracteres.'],
    ],
  },
  integer: {
    words: ['berths', 'literas'],
    json: [['6'], ['40'], ['0']],
    csv: [['6'], ['40'], ['0']],
    read: ['6,0', ' 6 '],
    order: ['201', '201'],
    range: ['7', '40'],
    refused: [
      [100, '«literas» debe ser un número entero entre 0 y 99.'],
      ['6', '«literas» debe ser un número entero entre 0 y 99.', '6'],
    ],
    unreadable: [['seis', '«literas» debe ser un número entero.']],
  },
  flag: {
    words: ['hasEngine', 'con_motor'],
    json: [['true'], ['false'], ['true']],
    csv: [['true'], ['false'], ['true']],
    read: ['Sí', '1', 'verdadero'],
    refused: [['sí', '«con_motor» debe ser «true» o «false», sin comillas.', 'true']],
    unreadable: [['quizá', '«con_motor» debe ser «true» o «false».']],
  },
  decimal: {
    words: ['price', 'precio'],
    json: [['12990.50'], ['0.07'], ['1000000.00']],
    csv: [
      ['12990.50', '12990,50'],
      ['0.07', '0,07'],
      ['1000000.00', '1000000,00'],
    ],
    read: ['12.990,5', '12990.5', '12 990,500', '+12990,50'],
    order: ['102', '102'],
    range: ['0.06', '0.070'],
    refused: [
      [12.345, DECIMAL],
      [-0.01, DECIMAL],
      ['12.990,50', DECIMAL, '12990.50'],
    ],
    unreadable: [
      ['12,5', '«precio» no puede ser «12,5»; ¿quería decir «12.50»?', '12.50'],
      ['1.234567', '«precio» debe ser un número con 2 decimales como máximo, escrito con punto.'],
    ],
  },
  date: {
    words: ['launched', 'botadura'],
    json: [['"2008-11-30"'], ['"1850-01-01"'], ['"2024-02-29"']],
    csv: [['2008-11-30'], ['1850-01-01'], ['2024-02-29']],
    read: ['30/11/2008', '30-11-2008', '2008/11/30'],
    order: ['102', '102'],
    range: ['1700-01-01', '1999-12-31'],
    refused: [
      ['2023-02-29', '«botadura» debe ser una fecha entre 1850-01-01 y 2100-12-31, con este mismo formato.'],
      ['1849-12-31', '«botadura» debe ser una fecha entre 1850-01-01 y 2100-12-31, con este mismo formato.'],
      ['30/11/2008', '«botadura» no puede ser «30/11/2008»; ¿quería decir «2008-11-30»?', '2008-11-30'],
      [2008, '«botadura» debe ser una fecha entre 1850-01-01 y 2100-12-31, con este mismo formato.'],
    ],
    unreadable: [
      ['30/11/2008', '«botadura» no puede ser «30/11/2008»; ¿quería decir «2008-11-30»?', '2008-11-30'],
      ['ayer', '«botadura» debe ser una fecha, como «2024-12-31».'],
    ],
  },
  timestamp: {
    words: ['surveyed', 'revisado'],
    json: [['"2024-05-06T07:08:09Z"'], ['"1969-12-31T23:59:59.999Z"'], ['"2024-12-31T23:59:00Z"']],
    csv: [['2024-05-06T07:08:09Z'], ['1969-12-31T23:59:59.999Z'], ['2024-12-31T23:59:00Z']],
    read: ['2024-05-06 07:08:09', '2024-05-06T09:08:09+02:00'],
    order: ['102', '102'],
    range: ['1969-12-31T22:00:00-01:00', '1970-01-01T00:00:00Z'],
    refused: [
      ['2024-05-06', TIMESTAMP],
      [
        '2024-05-06 07:08',
        '«revisado» no puede ser «2024-05-06 07:08»; ¿quería decir «2024-05-06T07:08:00Z»?',
        '2024-05-06T07:08:00Z',
      ],
    ],
    unreadable: [['hoy', '«revisado» debe ser una fecha y hora con zona horaria, como «2024-12-31T23:59:00Z».']],
  },
  choice: {
    words: ['rig', 'aparejo'],
    json: [
      ['"sloop"', '"balandra"'],
      ['"motor"', '"a motor"'],
      ['"catboat"', '"ketch"'],
    ],
    csv: [
      ['sloop', 'balandra'],
      ['motor', 'a motor'],
      ['catboat', 'ketch'],
    ],
    read: ['Balandra', ' BALANDRA '],
    order: ['210', '102'],
    refused: [
      ['sloop', '«aparejo» no puede ser «sloop»; ¿quería decir «balandra»?', 'balandra'],
      ['Balandra', '«aparejo» no puede ser «Balandra»; ¿quería decir «balandra»?', 'balandra'],
      ['balanda', '«aparejo» no puede ser «balanda»; ¿quería decir «balandra»?', 'balandra'],
      ['cat-boat', '«aparejo» no puede ser «cat-boat»; ¿quería decir «ketch»?', 'ketch'],
      ['goleta', CHOICE],
      [1, CHOICE],
    ],
    unreadable: [
      ['sloop', '«aparejo» no puede ser «sloop»; ¿quería decir «balandra»?', 'balandra'],
      ['goleta', CHOICE],
    ],
  },
  vocabulary: {
    words: ['hull', 'casco'],
    json: [['"wood"', '"madera"'], ['"Kevlar; 50 %"'], ['"steel"', '"acero"']],
    csv: [
      ['wood', 'madera'],
      ['Kevlar; 50 %', '"Kevlar; 50 %"'],
      ['steel', 'acero'],
    ],
    read: ['Madera', 'wood'],
    refused: [[5, '«casco» debe ser un texto de entre 0 y 40 caracteres.', '"5"']],
  },
  url: {
    words: ['page_url', 'pagina_web'],
    json: [['"https://example.com/aurora"'], ['"http://example.com/?a=1&b=2"'], ['"HTTPS://ñandú.example/ü"']],
    csv: [['https://example.com/aurora'], ['http://example.com/?a=1&b=2'], ['HTTPS://ñandú.example/ü']],
    refused: [
      ['aurora', '«pagina_web» debe ser una URL que empiece por «http://» o «https://».'],
      ['javascript:alert(1)', '«pagina_web» debe ser una URL que empiece por «http://» o «https://».'],
    ],
  },
  unique: {
    words: ['sailNumber', 'numero_de_vela'],
    json: [['"ESP 7"'], ['"Ñ-4"'], ['"0"']],
    csv: [['ESP 7'], ['Ñ-4'], ['0']],
    refused: [['', '«numero_de_vela» debe ser un texto de entre 1 y 20 caracteres.']],
  },
  reference: {
    words: ['port', 'puerto'],
    json: [['"Gijón"'], ['"Avilés"'], ['"10/2 \\"A\\""']],
    csv: [['Gijón'], ['Avilés'], ['"10/2 ""A"""']],
    order: ['210', '210'],
    refused: [
      ['gijón', '«puerto» no puede ser «gijón»: no existe en «puertos».'],
      [
        '..',
        '«puerto» debe ser un texto de entre 1 y 128 caracteres, sin caracteres de control y distinto de «.» y de «..».',
      ],
    ],
  },
  list: {
    words: ['extras', 'equipamiento'],
    json: [['["Radar; 50 %","balsa"]'], ['["ancla_\\"CQR\\"","radar"]'], ['["radares"]']],
    csv: [['"Radar; 50 %\nbalsa"'], ['"ancla_""CQR""\nradar"'], ['radares']],
    read: ['"Radar; 50 %\r\nbalsa"'],
    found: [
      ['RÁDAR', ['b-1']],
      ['balsa', ['b-0']],
      ['Radar; 50 %', ['b-0']],
      ['ANCLA_"cqr"', ['b-1']],
      ['ancla%"cqr"', []],
      ['rada', []],
      ['', ['b-0', 'b-1', 'b-2', 'none']],
    ],
    refused: [
      [['radar', ' '], '«equipamiento» tiene un elemento vacío.'],
      ...[['a\nb'], ['x'.repeat(31)], ['a', 'b', 'c', 'd'], ['', 'b', 'c', 'd'], [1], {}].map(
        (sent) => [sent, LIST] as const,
      ),
      [
        'radar, balsa',
        '«equipamiento» no puede ser «radar, balsa»; ¿quería decir «["radar","balsa"]»?',
        '["radar","balsa"]',
      ],
    ],
    unreadable: [['a\nb', '«equipamiento» debe ser uno de los textos de una lista, sin caracteres de control.']],
  },
};

const trees = [
  { tag: 'en', at: 0, list: '/api/boats', imports: '/api/imports/boats', key: 'code' },
  { tag: 'es', at: 1, list: '/api/barcos', imports: '/api/importaciones/barcos', key: 'codigo' },
] as const;
const words = {
  sort: ['sort_by', 'ordenar_por'],
  group: ['group_by', 'agrupar_por'],
  from: ['from', 'desde'],
  to: ['to', 'hasta'],
  fields: ['fields', 'campos'],
  search: ['search', 'buscar'],
  size: ['number_of_elements', 'numero_de_elementos'],
} as const;

const of = <T>([en, es]: readonly [T, T?], at: 0 | 1): T => (at === 1 && es !== undefined ? es : en);

const keys = ['b-0', 'b-1', 'b-2'];
/** The JSON of an item, with a member of each kind. */
const bodyOf = (item: number, at: 0 | 1): string => {
  const members = Object.values(cases).map(({ words: own, json }) => `"${own[at]}":${of(json[item] ?? [''], at)}`);
  // It has a default.
  const state = [`"state":"for sale"`, `"estado":"en venta"`][at];
  return `{"${trees[at].key}":"b-${item}",${members.join(',')},${state}}`;
};

const addPorts = async ({ request }: Pick<Awaited<ReturnType<typeof openApp>>, 'request'>): Promise<void> => {
  const body = JSON.stringify(['Gijón', 'Avilés', '10/2 "A"'].map((place) => ({ place })));
  await request('/api/ports', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
};
const open = async () => {
  const opened = await openApp({ catalogue: everyKind, locales: everyKindTables(afterAll) });
  await addPorts(opened);
  return opened;
};
let app: Awaited<ReturnType<typeof open>>;
/** Where files are read back. */
let other: Awaited<ReturnType<typeof open>>;
const send: Send = (...sent) => app.send(...sent);
beforeAll(async () => {
  [app, other] = await Promise.all([open(), open()]);
  // Each in another language, and one without a value.
  for (const item of keys.keys()) {
    const at = item % 2 === 0 ? 0 : 1;
    const sent = bodyOf(item, at).replace(/,"(?:state|estado)":"[^"]*"/, '');
    const { status, text } = await send('POST', trees[at].list, sent);
    expect([status, text]).toEqual([201, bodyOf(item, at)]);
  }
  await send('POST', '/api/boats', { code: 'none', name: 'zzz' });
});
afterAll(() => Promise.all([app.close(), other.close()]));

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly examples?: unknown; readonly enum?: unknown }>>;
}

describe.each(trees)('in $tag', ({ tag, at, list, imports, key }) => {
  test('the words that a vocabulary knows are told, and others are still allowed', async () => {
    const [word, known] = [
      cases.vocabulary?.words[at] ?? '',
      [
        { wood: 'wood', steel: 'steel' },
        { wood: 'madera', steel: 'acero' },
      ][at],
    ];
    const words = Object.values(known ?? {});
    const { hull } = (await send('GET', `/api/locales/${tag}`)).json.collections.boats.fields;
    expect([hull.word, hull.choices, hull.schema.examples]).toEqual([word, known, words]);
    const { paths, components } = (await send('GET', `/api/openapi.${tag}.json`)).json;
    const members = Object.values<Schema>(components.schemas).flatMap(({ properties }) => properties?.[word] ?? []);
    expect(members).toHaveLength(6);
    for (const { examples, enum: closed } of members)
      expect([examples, closed]).toEqual([[...words, 'Kevlar'], undefined]);
    const { schema } = paths[list].get.parameters
      .map((each: { $ref?: string }) => components.parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each)
      .find(({ name }: { name: string }) => name === word);
    expect([schema.items.examples, schema.items.enum]).toEqual([words, undefined]);
  });

  test.each(['text/csv', XLSX, 'application/x-ndjson', 'application/json'])('is %s read back', async (type) => {
    const file = await app.request(list, { headers: { accept: type } });
    const body = await file.arrayBuffer();
    const sent = await other.request(imports, { method: 'POST', headers: { 'content-type': type }, body });
    expect([sent.status, await sent.text()]).toEqual([200, expect.stringContaining(`:${keys.length + 1},`)]);
    for (const [item, id] of keys.entries()) {
      expect(await (await other.request(`${list}/${id}`)).text()).toBe(bodyOf(item, at));
    }
    for (const id of [...keys, 'none']) await other.send('DELETE', `${list}/${id}`);
  });

  const found = async (query: string): Promise<readonly string[]> => {
    const { status, json, text } = await send('GET', `${list}?${query}`);
    expect([status, text]).toEqual([200, expect.anything()]);
    return json.map((item: Record<string, string>) => item[key]);
  };

  describe.each(Object.entries(cases))('%s', (kind, each) => {
    const word = each.words[at];
    const values = each.json.map((json) => JSON.parse(of(json, at)));

    test.runIf(each.found)('is filtered by what is in it, and neither sorted nor grouped', async () => {
      for (const [text, keys] of each.found ?? []) {
        expect([text, await found(`${word}=${encodeURIComponent(text)}`)]).toEqual([text, keys]);
      }
      expect(await found(`${word}=balsa&${word}=radar`)).toEqual(['b-0', 'b-1']);
      expect(await found(`${words.search[at]}=liferaft%20bal`)).toEqual([]);
      expect(await found(`${words.search[at]}=bal%20radar`)).toEqual(['b-0']);
      for (const parameter of [words.sort[at], words.group[at]]) {
        const refused = await send('GET', `${list}?${parameter}=${word}`);
        expect([refused.status, refused.json.errors]).toMatchObject([400, [{ parameter }]]);
        expect(refused.json.errors[0].suggestion).toBeUndefined();
        const misspelt = await send('GET', `${list}?${parameter}=-${word}x`);
        expect(misspelt.json.errors[0].suggestion).toBeUndefined();
      }
    });

    test.skipIf(each.found)('is filtered and grouped', async () => {
      for (const value of values) {
        const same = keys.filter((_, other) => values[other] === value);
        expect(await found(`${word}=${encodeURIComponent(String(value))}`)).toEqual(same);
      }
      const { json } = await send('GET', `${list}?${words.group[at]}=${word}`);
      const groups = json.map((group: Record<string, unknown>) => group[word]);
      expect(new Set(groups)).toEqual(new Set([...values, kind === 'text' ? 'zzz' : undefined]));
    });

    test.skipIf(!each.order)('is sorted, page by page, too', async () => {
      const order = [...[...(each.order?.[at] ?? '')].map((item) => keys[Number(item)]), 'none'];
      const sort = `${words.sort[at]}=${word}`;
      expect(await found(sort)).toEqual(order);
      const walked: string[] = [];
      let next: string | undefined = `${list}?${sort}&${words.size[at]}=1`;
      while (next) {
        const page: Awaited<ReturnType<Send>> = await send('GET', next);
        walked.push(...page.json.map((item: Record<string, string>) => item[key]));
        next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      }
      expect(walked).toEqual(order);
    });

    test.skipIf(!each.range)('has ranges', async () => {
      const [from = '', to = ''] = each.range?.map((end) => encodeURIComponent(end)) ?? [];
      const [first, last] = [`${word}_${words.from[at]}`, `${word}_${words.to[at]}`];
      expect(await found(`${first}=${from}&${last}=${to}`)).toEqual(['b-1']);
      expect((await send('GET', `${list}?${first}=${to}&${last}=${from}`)).status).toBe(400);
    });

    test('is in CSV as spreadsheets of the language have it', async () => {
      const fields = `${words.fields[at]}=${word}`;
      const { text } = await send('GET', `${list}?${fields}`, undefined, { accept: 'text/csv' });
      const lines = each.csv.map((cell, item) => `b-${item}${at === 0 ? ',' : ';'}${of(cell, at)}`);
      expect(text.split('\r\n').slice(1, 4)).toEqual(lines);
    });
  });
});

describe.each(Object.entries(cases))('%s', (_, each) => {
  const word = each.words[1];

  test.skipIf(!each.read)('is read from what else people write in a file', async () => {
    for (const text of each.read ?? []) {
      const body = `codigo;nombre;${word}\r\nread;x;${text}\r\n`;
      const headers = { 'content-type': 'text/csv', prefer: 'resolution=merge-duplicates' };
      const { status, json } = await send('POST', '/api/importaciones/barcos', body, headers);
      expect([text, status, json]).toEqual([text, 200, expect.anything()]);
      const { text: read } = await send('GET', '/api/barcos/read');
      expect([text, read]).toEqual([text, expect.stringContaining(`"${word}":${of(each.json[0] ?? [''], 1)}`)]);
    }
    await send('DELETE', '/api/barcos/read');
  });

  test.each(each.refused)('refuses %j', async (sent, detail, suggestion) => {
    const { status, json } = await send('PUT', '/api/barcos/b-0', { [word]: sent });
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ detail }]);
    expect(json.errors[0].suggestion).toBe(suggestion);
  });

  test.each(each.unreadable ?? [])('has no filter %j', async (sent, detail, suggestion) => {
    const { status, json } = await send('GET', `/api/barcos?${word}=${encodeURIComponent(sent ?? '')}`);
    expect(status).toBe(400);
    expect(json.errors).toMatchObject([{ detail }]);
    expect(json.errors[0].suggestion).toBe(suggestion);
  });
});

test('lists of texts are neither sorted nor grouped by', async () => {
  for (const parameter of ['ordenar_por', 'agrupar_por']) {
    const { json } = await send('GET', `/api/barcos?${parameter}=equipamiento`);
    expect(json.errors[0].detail).toBe(`«${parameter}» no puede ser «equipamiento», cuyos valores son listas.`);
  }
});

test('a list of no texts clears, and a row says which is empty', async () => {
  await send('POST', '/api/barcos', { codigo: 'list', nombre: 'x', equipamiento: ['b', 'a', 'b'] });
  expect((await send('GET', '/api/boats/list')).json.extras).toEqual(['b', 'a', 'b']);
  expect((await send('PUT', '/api/barcos/list', { equipamiento: [] })).text).not.toContain('equipamiento');
  const body = 'codigo;equipamiento\r\nlist;"radar\n\nbalsa"\r\n';
  const headers = { 'content-type': 'text/csv', prefer: 'resolution=merge-duplicates' };
  const { json } = await send('POST', '/api/importaciones/barcos', body, headers);
  expect(json.report.errores).toMatchObject([
    { fila: 2, columna: 'equipamiento', detalle: '«equipamiento» tiene un elemento vacío.' },
  ]);
  await send('DELETE', '/api/barcos/list');
});

test('a store over a `Map` sorts by the words of each language, too', async () => {
  const store = mapStore(everyKind);
  const folder = everyKindTables(afterAll);
  const [en, es] = ['en', 'es'].map((tag) => JSON.parse(readFileSync(join(folder, `${tag}.json`), 'utf8')));
  const garage = bilingual({ catalogue: everyKind, tables: { en, es }, store });
  await addPorts({ request: async (target, init) => garage.request(target, init) });
  for (const item of keys.keys()) {
    const headers = { 'content-type': 'application/json' };
    await garage.request('/api/boats', { method: 'POST', headers, body: bodyOf(item, 0) });
  }
  const sorted = async (path: string, key: string) => {
    const items = (await (await garage.request(path)).json()) as readonly Record<string, string>[];
    return items.map((item) => item[key]);
  };
  expect(await sorted('/api/boats?extras=RADAR', 'code')).toEqual(['b-1']);
  expect(await sorted('/api/boats?sort_by=rig', 'code')).toEqual(['b-2', 'b-1', 'b-0']);
  expect(await sorted('/api/barcos?ordenar_por=aparejo', 'codigo')).toEqual(['b-1', 'b-0', 'b-2']);
});
