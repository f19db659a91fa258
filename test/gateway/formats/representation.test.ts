import { describe, expect, test } from 'vitest';
import { itemRepresentations } from '../../../src/gateway/formats/formats.ts';
import type { Row } from '../../../src/gateway/port/port.ts';
import { streamList } from '../../../src/gateway/write/list.ts';
import { chunked } from '../../support/database/reads.ts';
import { cars, es } from '../../support/language/spoken.ts';

const [carInSpanish] = itemRepresentations(es.language, cars);

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
});
