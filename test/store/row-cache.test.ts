import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListFormat } from '../../src/store/port.ts';
import { rowCache } from '../../src/store/row-cache.ts';

/** Of several bytes each, and of other lengths than their texts. */
const format: ListFormat = { start: '«[', row: ([, text]) => String(text), separator: ' – ', end: '»' };
const pageOf = (texts: readonly string[]): string => format.start + texts.join(format.separator) + format.end;
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const present = <T>(found: readonly (T | undefined)[]): readonly T[] =>
  found.filter((position) => position !== undefined);

const opened = (room: number, hashOf = (key: number) => key) => {
  const cache = rowCache(format, room, hashOf);
  return { ...cache, add: (key: number, text: string) => cache.add(key, [0, text]) };
};

test.each([[[]], [['one']], [['one', '', 'tŵo', '三']]])('a page of %j', (texts) => {
  const cache = opened(1_000_000);
  const page = cache.page(texts.map((text, at) => cache.add(at, text)));
  expect(textOf(page)).toBe(pageOf(texts));
  expect(page.buffer.byteLength).toBe(page.length);
});

test('rows of more than one block', () => {
  const cache = opened(10_000_000);
  const texts = Array.from({ length: 300 }, (_, at) => `${at}`.repeat(1_000));
  for (const [at, text] of texts.entries()) cache.add(at, text);
  const found = present(texts.map((_, at) => cache.find(at)));
  expect(textOf(cache.page(found))).toBe(pageOf(texts));
});

test('what fits into half of the room is never evicted; beyond that, what was used since outlives what was not', () => {
  const cache = opened(20_000);
  const text = 'x'.repeat(200);
  const add = (from: number, to: number): void => {
    for (let key = from; key < to; key++) {
      cache.beginPage();
      cache.add(key, text);
    }
  };
  add(0, 30);
  expect(cache.isFull()).toBe(false);
  add(100, 110);
  expect(cache.isFull()).toBe(true);
  cache.find(0);
  add(200, 230);
  cache.beginPage();
  expect([cache.find(0) === undefined, cache.find(1)]).toEqual([false, undefined]);
  cache.clear();
  expect([cache.find(0), cache.isFull()]).toEqual([undefined, false]);
});

test('it finds the last text of a key or none, whatever keys have the same hash', () => {
  const step = fc.tuple(fc.constantFrom('page', 'add', 'delete', 'clear'), fc.nat(30), fc.string({ maxLength: 60 }));
  const asked = fc.array(fc.nat(30), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(fc.tuple(step, asked), { maxLength: 200 }), (steps) => {
      const cache = opened(4_000, (key) => key % 7);
      const model = new Map<number, string>();
      for (const [[kind, key, text], keys] of steps) {
        cache.beginPage();
        if (kind === 'add') {
          cache.add(key, text);
          model.set(key, text);
        } else if (kind === 'delete') {
          cache.delete(key);
          model.delete(key);
        } else if (kind === 'clear') {
          cache.clear();
          model.clear();
        }
        const found = keys
          .map((each) => ({ each, position: cache.find(each) }))
          .filter(({ position }) => position !== undefined);
        const texts = found.map(({ each }) => model.get(each) ?? 'none');
        expect(textOf(cache.page(present(found.map(({ position }) => position))))).toBe(pageOf(texts));
      }
    }),
  );
});
