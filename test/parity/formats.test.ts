/** What is compared of files: of some only their words, of some nothing, which is said. */
import { expect, test } from 'vitest';
import { Relation } from '../../packages/parity/src/kit/words.ts';
import { Comparer } from '../../packages/parity/src/trees/compare.ts';

const PAGES = 'text/html';

test.each([
  ['application/yaml', 'title: Quijote\nyear: 1605\n', 'titulo: Quijote\nanio: 1605\n', [], []],
  ['application/yaml', 'title: Quijote\nyear: 1605\n', 'titulo: Quijote\nanio: 1615\n', ['body/1/0'], []],
  ['application/yaml', 'title: Quijote\n', 'titulo: Quijote\nanio: 1605\n', ['body/length'], []],
  ['application/xml', '<title>year</title>', '<titulo>year</titulo>', [], []],
  ['text/plain; charset=utf-8', 'title 1', 'title 2', ['body/0/0'], []],
  ['text/html; charset=utf-8', '<p>Two books</p>', '<p>Dos libros</p>', [], [PAGES]],
  [PAGES, '<p>Two books</p>', '<p>Two books</p>', [], [PAGES]],
  ['application/pdf', 'a', 'b', [], ['application/pdf']],
  ['image/png', 'a', 'b', [], ['image/png']],
  ['text/event-stream', '', '', [], ['text/event-stream']],
])('%s: %j and %j', (type, english, spanish, places, unread) => {
  const words = new Relation();
  words.pair('title', 'titulo');
  words.pair('year', 'anio');
  const bases = ['http://a.test', 'http://b.test'] as const;
  const comparer = new Comparer(words, { bases, language: 'es', isCatalogue: false });
  const [one, other] = [english, spanish].map((body) => ({
    url: '/',
    status: 200,
    headers: { 'content-type': type },
    body,
  }));
  if (!one || !other) throw new Error('no answers');
  const differences = comparer.compare({ original: one, translated: one, actual: other });
  expect([differences.map(({ at }) => at), [...comparer.unread]]).toEqual([places, unread]);
});
