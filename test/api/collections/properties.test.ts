import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacter } from '../../support/any-character.ts';
import { useApp } from '../../support/app/app.ts';
import { trees } from '../../support/app/trees.ts';
import { runsOf } from '../../support/database/database.ts';
import { carWords } from '../../support/language/car-words.ts';

const { send } = useApp();

const characters = (min: number, max: number) =>
  fc.oneof(
    fc.string({ unit: 'grapheme', minLength: min, maxLength: max }),
    fc.string({ unit: anyCharacter, minLength: min, maxLength: max }),
    fc.string({
      unit: fc.constantFrom('a', 'Ñ', '%', '/', '?', '#', '+', ' ', '&', '"', '\\', '~', '😀'),
      minLength: min,
      maxLength: max,
    }),
  );
const points = (text: string): number => [...text].length;

const freeText = (max: number) => characters(0, max).filter((text) => !text.includes('\0') && points(text) <= max);
const fullText = freeText(200).filter((text) => text.trim() !== '');
const key = characters(1, 30)
  .map((text) => text.trim())
  .filter((text) => !/\p{Cc}/u.test(text) && !['', '.', '..'].includes(text) && points(text) <= 128);

const car = fc.record(
  {
    identifier: key,
    brand: fullText,
    model: fullText,
    year: fc.integer({ min: 1886, max: 2100 }),
    doors: fc.integer({ min: 0, max: 20 }),
    enginePower: fc.integer({ min: 0, max: 10_000 }),
    version: freeText(200),
    clima: fc.boolean(),
    ac: fc.boolean(),
    fuel: freeText(200),
  },
  { requiredKeys: ['identifier', 'brand', 'model'] },
);
const oil = fc.record({ type: key, otherInfo: freeText(300) }, { requiredKeys: ['type'] });

type Tree = (typeof trees)[number];
const carNames = carWords.en;
const oilNames = ['type', 'otherInfo'] as const;

/** A resource in a tree's words, in the order of the schema; the words are the test's own. */
const say = (tree: Tree, names: readonly (keyof Tree)[], item: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [tree[name], item[name]]));

const runs = { numRuns: runsOf(30) };

const [english, spanish] = trees;

describe.each([
  [english, spanish],
  [spanish, english],
] as const)('$cars', (tree, other) => {
  test('what is written is read in both trees, and written back it changes nothing', () =>
    fc.assert(
      fc.asyncProperty(car, oil, async (anyCar, anyOil) => {
        const created = await send('POST', tree.cars, say(tree, carNames, anyCar));
        const location = created.headers.get('location') ?? '';
        const otherLocation = /<([^>]*)>/.exec(created.headers.get('link') ?? '')?.[1] ?? '';
        const own = JSON.stringify(say(tree, carNames, anyCar));
        expect([created.status, created.text]).toEqual([201, own]);
        expect((await send('GET', location)).text).toBe(own);
        const foreign = await send('GET', otherLocation);
        expect(foreign.text).toBe(JSON.stringify(say(other, carNames, anyCar)));
        expect((await send('PUT', otherLocation, foreign.text)).text).toBe(foreign.text);
        expect((await send('GET', location)).text).toBe(own);

        const oils = await send('POST', `${location}/${tree.oils}`, say(tree, oilNames, anyOil));
        expect([oils.status, oils.text]).toEqual([201, JSON.stringify(say(tree, oilNames, anyOil))]);
        const inOther = await send('GET', `${otherLocation}/${other.oils}`);
        expect(inOther.json).toEqual([say(other, oilNames, anyOil)]);
        expect((await send('DELETE', otherLocation)).status).toBe(204);
        expect((await send('GET', oils.headers.get('location') ?? '')).status).toBe(404);
      }),
      runs,
    ));

  test('a car is found by what it holds, in any case and composition', () =>
    fc.assert(
      fc.asyncProperty(car, async (anyCar) => {
        await send('POST', tree.cars, say(tree, carNames, anyCar));
        const found = async (spell: (text: string) => string) => {
          const query = new URLSearchParams({
            [tree.identifier]: anyCar.identifier,
            [tree.brand]: spell(anyCar.brand),
          });
          return (await send('GET', `${tree.cars}?${query}`)).json;
        };
        const expected = [say(tree, carNames, anyCar)];
        expect(await found((text) => text)).toEqual(expected);
        expect(await found((text) => text.normalize('NFD'))).toEqual(expected);
        expect(await found((text) => text.normalize('NFC'))).toEqual(expected);
        await send('DELETE', `${tree.cars}/${encodeURIComponent(anyCar.identifier)}`);
      }),
      runs,
    ));
});
