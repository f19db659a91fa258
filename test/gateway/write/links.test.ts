import { describe, expect, test } from 'vitest';
import { createQueryReader } from '../../../src/gateway/read/query/query.ts';
import { createLinks, writeListLinks } from '../../../src/gateway/write/links.ts';
import { cars, en, es, trees } from '../../support/language/spoken.ts';

const inEnglish = createLinks(en, trees, cars);
const inSpanish = createLinks(es, trees, cars);
const english = createQueryReader(en.language, [es.language], cars);
const spanish = createQueryReader(es.language, [en.language], cars);

describe('longer than 6 KB', () => {
  /** Characters of a filter, and which links of the second of three pages are left. */
  const long = [
    [1_100, ['first', 'prev', 'next', 'last', 'alternate']],
    [1_300, ['first', 'prev', 'next', 'last']],
    [1_800, ['first', 'prev', 'next']],
    [2_500, ['prev', 'next']],
    [4_000, ['next']],
    [6_107, ['next']],
  ] as const;

  test.each(long)('a filter of %i characters leaves %j', (length, expected) => {
    const { Link: link = '' } = writeListLinks(inEnglish, [], english(`brand=${'x'.repeat(length)}&page=2`), {
      total: 50,
      change: 1,
    });
    expect(link.length).toBeLessThanOrEqual(6_144);
    expect([...link.matchAll(/rel="(\w+)"/g)].map((match) => match[1])).toEqual(expected);
  });

  test('never are there more than 6,144 characters, and never is `next` left out', () => {
    for (let length = 0; length < 7_000; length += 7) {
      const query = spanish(`marca=${'x'.repeat(length)}&pagina=2`);
      const list = () => writeListLinks(inSpanish, [], query, { total: 50, change: 1 }).Link ?? '';
      if (length > 6_100) expect(list).toThrow('uri-too-long');
      else expect([list().length <= 6_144, list().includes('rel="next"')]).toEqual([true, true]);
    }
    expect(
      writeListLinks(inSpanish, [], spanish(`marca=${'x'.repeat(7_000)}&pagina=3`), { total: 50, change: 1 }),
    ).toEqual({});
  });
});
