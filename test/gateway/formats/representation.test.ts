import { describe, expect, test } from 'vitest';
import { itemRepresentations } from '../../../src/gateway/formats/formats.ts';
import type { Row } from '../../../src/gateway/port/port.ts';
import { streamList, writeWhole } from '../../../src/gateway/write/list.ts';
import { chunked } from '../../support/database/reads.ts';
import { cars, es } from '../../support/language/spoken.ts';

const [carInSpanish] = itemRepresentations(es.language, cars);

const full: Row = [7, 'a-1', 'Citroën', 'C4', 2006, 5, 109, '1.6 "HDi"', 0, 1, 'Diésel'];
const bare: Row = [8, 'á/1', 'Seat', 'Ibiza', null, null, null, null, null, null, null];

const ONE = '{"identificador":"á/1","marca":"Seat","modelo":"Ibiza"}';

/** Chunks of a list, and the whole of it. */
const lists: readonly (readonly [chunks: readonly (readonly Row[])[], expected: string])[] = [
  [[], '[]'],
  [[[]], '[]'],
  [[[bare]], `[${ONE}]`],
  [[[bare, bare]], `[${ONE},${ONE}]`],
  [[[bare], [], [bare, bare]], `[${ONE},${ONE},${ONE}]`],
];

describe('a list', () => {
  test.each(lists)('streamed: %#', async (chunks, expected) => {
    const fault = (error: unknown): never => {
      throw error;
    };
    expect(await new Response(streamList(chunked(chunks), carInSpanish.list, fault)).text()).toBe(expected);
  });

  test('of a format with a header and an end of each line', async () => {
    const list = { start: 'id\n', row: ([, key]: Row) => `${key}\n`, separator: '', end: '' };
    const all = [bare, full];
    expect(writeWhole(list, all)).toBe('id\ná/1\na-1\n');
    expect(writeWhole(list, [])).toBe('id\n');
    for (const [chunks, expected] of [[[[bare], [full]], 'id\ná/1\na-1\n'] as const, [[], 'id\n'] as const]) {
      expect(await new Response(streamList(chunked(chunks), list, () => {})).text()).toBe(expected);
    }
  });
});
