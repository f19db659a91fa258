import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { WordIndex } from '../../../packages/vocabularies/src/words.ts';
import { listRepresentations } from '../../../src/gateway/formats/formats.ts';
import type { Representation } from '../../../src/gateway/formats/representation.ts';
import type { Collection } from '../../../src/gateway/model/catalogue.ts';
import type { Row } from '../../../src/gateway/port/port.ts';
import { streamList } from '../../../src/gateway/write/list.ts';
import { chunked } from '../../support/database/reads.ts';
import { carWords } from '../../support/language/car-words.ts';
import { cars, en, es, oils } from '../../support/language/spoken.ts';

const xlsxFor = (tree: typeof en, collection: Collection): Representation => {
  const found = listRepresentations(tree.language, collection).find(({ format }) => format.name === 'xlsx');
  if (!found) throw new TypeError('there is no workbook');
  return found;
};

const bytesOf = async ({ list, pack }: Representation, chunks: Iterable<readonly Row[]>): Promise<Uint8Array> => {
  const stream = pack?.(streamList(chunked(chunks), list, () => {}));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/** The one sheet of a workbook, as an independent reader has it. */
const sheetOf = async (tree: typeof en, rows: readonly Row[], collection = cars) => {
  const { sheets } = await readXlsx(await bytesOf(xlsxFor(tree, collection), [rows]));
  expect(sheets).toHaveLength(1);
  const [sheet] = sheets;
  if (!sheet) throw new TypeError('there is no sheet');
  return sheet;
};

const full: Row = [7, 'a-1', 'Citroën', 'C4', 2006, 5, 109, '1.6 "HDi" <&>', 0, 1, 'Diésel'];
const bare: Row = [8, '007', '=1+1', '2008', null, null, null, null, null, null, null];

const HEADER = [...carWords.en, 'row_tag'];
const CABECERA = [...carWords.es, 'etiqueta_fila'];
const NOTHING = Array.from({ length: 7 }, () => null);
const FULL = ['a-1', 'Citroën', 'C4', 2006, 5, 109, '1.6 "HDi" <&>', false, true, 'Diésel', 'r7-1083kax'];

describe('a list as a workbook', () => {
  test.each([
    [en, 'cars', HEADER],
    [es, 'coches', CABECERA],
  ])('has numbers and booleans, and texts that look like them (%#)', async (tree, name, header) => {
    const sheet = await sheetOf(tree, [full, bare]);
    expect(sheet.name).toBe(name);
    expect(sheet.rows).toEqual([header, FULL, ['007', '=1+1', '2008', ...NOTHING, 'r8-126ubq3']]);
    expect(sheet.freezePane).toEqual({ rows: 1 });
    expect(sheet.columns).toHaveLength(header.length);
    for (const [at, { width = 0 }] of (sheet.columns ?? []).entries()) {
      expect(width).toBeGreaterThan(header[at]?.length ?? 0);
    }
  });

  test('of oils', async () => {
    const { name, rows } = await sheetOf(es, [[1, '5W-30', 'VW 504']], oils);
    expect([name, rows]).toEqual([
      'aceites',
      [
        ['tipo', 'otros_datos', 'etiqueta_fila'],
        ['5W-30', 'VW 504', 'r1-16zoslt'],
      ],
    ]);
  });

  test('of nothing has its header', async () => {
    expect((await sheetOf(es, [])).rows).toEqual([CABECERA]);
    const { sheets } = await readXlsx(await bytesOf(xlsxFor(es, cars), [].values()));
    expect(sheets[0]?.rows).toEqual([CABECERA]);
  });

  test('may have a name that a sheet must not have', async () => {
    const language = { ...es.language, paths: () => new WordIndex({ cars: `[coches]:*?<'&${'x'.repeat(40)}` }) };
    const { sheets } = await readXlsx(await bytesOf(xlsxFor({ ...es, language }, cars), [].values()));
    expect(sheets[0]?.name).toBe(`_coches____<_&${'x'.repeat(17)}`);
  });
});

test('a text that no cell can hold is an error there, so that nothing of it is lost in silence', async () => {
  const longest = 'x'.repeat(32_767);
  const rows = [longest, `${longest}x`].map((brand): Row => [7, 'a', brand, ...Array.from({ length: 8 }, () => null)]);
  const {
    rows: [, fits, exceeds],
  } = await sheetOf(en, rows);
  expect([fits?.[1], exceeds?.[1]]).toEqual([longest, '#VALUE!']);
});

test('a list of values to choose from may have quotation marks', async () => {
  const fuel = cars.fields.find(({ name }) => name === 'fuel');
  if (!fuel) throw new TypeError('no fuel');
  const choices = ['say "when"', 'plain'];
  const collection = { ...cars, fields: [cars.key, { ...fuel, kind: 'choice' as const, choices, isIndexed: true }] };
  const words = es.language.valueWords;
  const known = { known: choices, word: String, value: String, inFile: String, suggest: () => undefined };
  const language = {
    ...es.language,
    valueWords: (...of: Parameters<typeof words>) => ({ ...words(...of), choices: known }),
  };
  const bytes = await bytesOf(
    xlsxFor({ ...es, language: language as typeof es.language }, collection as Collection),
    [],
  );
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
  let sheet = '';
  for await (const entry of zip.eachEntry()) {
    if (/sheet1/.test(entry.fileName)) sheet = await text(await zip.openReadStreamPromise(entry));
  }
  expect(/<formula1>(.*)<\/formula1>/.exec(sheet)?.[1]).toBe('"say &quot;&quot;when&quot;&quot;,plain"');
});

const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'&<>"_x041\t\r\n \u0001\uFFFEñ😀') }),
  fc.constantFrom('_x0041_', '_x0041_x0042_', '_x005F_', ']]>', '<!--', '\u001F', '\uFEFF'),
  fc.string({ unit: 'grapheme' }),
);
const texts = hostile.filter((text) => text !== '' && !text.includes('\0'));

test('whatever is in the texts, another reader reads it back', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(texts, texts, texts), { minLength: 1, maxLength: 5 }), async (all) => {
      const rows = all.map((three): Row => [1, ...three, null, null, null, null, null, null, null]);
      const [, ...found] = (await sheetOf(en, rows)).rows;
      expect(found).toEqual(all.map((three) => [...three, ...NOTHING, expect.stringMatching(/^r1-[0-9a-z]+$/)]));
    }),
    { numRuns: 50 },
  );
});

/** Chunks that have no end, and tell when they were given up. */
const endless = () => {
  let isOver = false;
  const chunks: IterableIterator<readonly Row[]> = {
    [Symbol.iterator]: () => chunks,
    next: () => ({ done: false, value: Array.from({ length: 500 }, () => full) }),
    return: () => {
      isOver = true;
      return { done: true, value: undefined };
    },
  };
  return { chunks, isOver: () => isOver };
};

describe('a workbook that ends early', () => {
  test('breaks off where its rows do', async () => {
    const chunks: IterableIterator<readonly Row[]> = {
      [Symbol.iterator]: () => chunks,
      next: () => {
        throw new Error('no more');
      },
    };
    await expect(bytesOf(xlsxFor(en, cars), chunks)).rejects.toThrow('no more');
  });

  test.each([0, 1, 5])('releases its rows where nobody reads on after %i pieces', async (pieces) => {
    const { chunks, isOver } = endless();
    const { list, pack } = xlsxFor(en, cars);
    const reader = pack?.(streamList(chunked(chunks), list, () => {})).getReader();
    for (let at = 0; at < pieces; at++) await reader?.read();
    await reader?.cancel();
    await expect.poll(isOver).toBe(true);
  });
});
