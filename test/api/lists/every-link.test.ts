/** Every address that a response has is answered, and asks for the same, whatever the order in which parameters were sent. */
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApp, type Send, type TestResponse, useApp } from '../../support/app/app.ts';
import { linkedFrom, readLinks } from '../../support/app/links.ts';
import { runsOf } from '../../support/database/database.ts';
import { folderWith } from '../../support/language/new-languages.ts';

const brands = ['Seat', 'Citroën', 'A & b, c'];
const cars = Array.from({ length: 24 }, (_, at) => ({
  identifier: at % 5 === 0 ? `k/${at} ñ` : `k${at}`,
  brand: brands[at % 3],
  model: `M${at % 4}`,
  year: 1985 + at,
  doors: 2 + (at % 4),
  enginePower: 60 + at * 7,
  ...(at % 3 === 0 ? {} : { clima: at % 2 === 0 }),
  ...(at % 4 === 0 ? {} : { fuel: 'Gas oil' }),
}));
const given = [
  ...cars.map((car) => ['/api/cars', car] as const),
  ...['5W-30', '10W/40', 'Nº 1'].map((type) => ['/api/cars/k1/oils', { type, otherInfo: `Seat ${type}` }] as const),
];

describe('a query that is long', () => {
  const { send } = useApp({ given });

  /** A list with the same filter so many times, which asks for the same as once. */
  const asked = (times: number, more: string): string =>
    `/api/coches?${Array(times).fill('marca=seat&modelo=m1').join('&')}${more}&numero_de_elementos=1`;

  test.each(['', '&pagina=1', '&cambiado_desde=0'])(
    'leads to its next page as a short one does, with “%s”',
    async (more) => {
      let count = 0;
      for (let next = asked(280, more); next !== ''; next = linkedFrom(await send('GET', next), 'next')) {
        const [{ status, json, headers }, head] = [await send('GET', next), await send('HEAD', next)];
        expect([status, json.length]).toEqual([200, 1]);
        expect((headers.get('link') ?? '').length).toBeLessThanOrEqual(6_144);
        expect(head.headers.get('link')).toBe(headers.get('link'));
        count++;
      }
      expect(count).toBe(2);
    },
  );

  test.each(['', '&pagina=1', '&cambiado_desde=0'])(
    'is 414 where the next page would have no room, with “%s”',
    async (more) => {
      const path = asked(310, more);
      for (const method of ['GET', 'HEAD']) expect((await send(method, path)).status).toBe(414);
      const { json } = await send('GET', path);
      const detail = 'La dirección con la que sigue la lista ocuparía más de 6 KiB.';
      expect([json.code, json.detail]).toEqual(['uri-too-long', detail]);
      // Nothing follows this one.
      expect((await send('GET', path.replace(/=1$/, '=2'))).json.length).toBe(2);
      expect((await send('GET', path.replace(/&(?:pagina|numero|cambiado).*/, ''))).json.length).toBe(2);
    },
  );
});

type Pair = readonly [name: string, value: string];

/** A language's words, from its dictionary. */
interface Words {
  readonly cars: string;
  readonly say: (pair: Pair) => Pair;
  /** The reverse. */
  readonly mean: (pair: Pair) => Pair;
}

// biome-ignore lint/suspicious/noExplicitAny: a dictionary is read as JSON
type Json = any;

/** Parameters whose values are words. */
const WORDED = ['sort_by', 'order', 'fields', 'include', 'group_by'];

const wordsIn = (dictionary: Json): Words => {
  const { collections, parameters, values } = dictionary;
  const fields: readonly (readonly [string, Json])[] = Object.entries(collections.cars.fields);
  const names = new Map<string, string>([
    ...Object.entries<Json>(parameters).map(([name, { word }]) => [name, word] as const),
    ...fields.map(([name, { word }]) => [name, word] as const),
    ...fields.flatMap(([name, { range = {} }]) =>
      Object.entries<string>(range).map(([end, word]) => [`${name}_${end}`, word] as const),
    ),
  ]);
  const terms = new Map<string, string>([
    ...Object.entries<string>(values),
    ...fields.map(([name, { word }]) => [name, word] as const),
    ['oils', collections.oils.word],
  ]);
  const inverse = (map: ReadonlyMap<string, string>) => new Map([...map].map(([name, word]) => [word, name]));
  const [nameOf, termOf] = [inverse(names), inverse(terms)];
  const translated = (known: ReadonlyMap<string, string>, text: string): string =>
    text
      .split(',')
      .map((part) => known.get(part) ?? `?${part}`)
      .join();
  return {
    cars: collections.cars.paths.list,
    say: ([name, value]) => [names.get(name) ?? '', WORDED.includes(name) ? translated(terms, value) : value],
    mean: ([word, value]) => {
      const name = nameOf.get(word) ?? `?${word}`;
      return [name, WORDED.includes(name) ? translated(termOf, value) : value];
    },
  };
};

const tags = ['ca', 'en', 'es', 'pt'] as const;
type Tag = (typeof tags)[number];

/** Which page it is, which links change. */
const PLACE = ['page', 'after', 'changed_since'];

const filters: readonly Pair[] = [
  ...brands.map((brand) => ['brand', brand] as const),
  ['model', 'M1'],
  ['model', 'm2'],
  ['doors', '3'],
  ['doors', '4'],
  ['clima', 'true'],
  ['fuel', 'GAS OIL'],
  ['year_from', '1990'],
  ['year_to', '2005'],
  ['doors_to', '4'],
  ['enginePower_from', '70'],
  ['search', 'm'],
  ['format', 'json'],
];
const fieldNames = ['identifier', 'brand', 'model', 'year', 'doors', 'clima', 'fuel'];
const one = (name: string) => (value: string | undefined) =>
  value === undefined || value === '' ? [] : [[name, value] as const];
const chosen = (name: string, most: number) =>
  fc.uniqueArray(fc.constantFrom(...fieldNames), { maxLength: most }).map((names) => one(name)(names.join()));
const size = fc.option(fc.constantFrom('1', '3', '7'), { nil: undefined }).map(one('number_of_elements'));
const page = fc.option(fc.constantFrom('1', '2', '9'), { nil: undefined }).map(one('page'));
const parts = fc.tuple(chosen('fields', 3), fc.constantFrom([], [['include', 'oils'] as const]));
const sorted = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...fieldNames), { maxLength: 3 }),
    fc.array(fc.constantFrom('asc', 'desc'), { maxLength: 3 }),
  )
  .map(([sort, order]) => [
    ...one('sort_by')(sort.join()),
    ...one('order')(order.slice(0, Math.max(1, sort.length)).join()),
  ]);
/** What excludes each other: items in an order, changes, groups. */
const kinds = fc.oneof(
  fc
    .tuple(
      sorted,
      size,
      page,
      parts.map((each) => each.flat()),
    )
    .map((each) => each.flat()),
  fc
    .tuple(
      fc.constant([['changed_since', '0'] as const]),
      size,
      parts.map((each) => each.flat()),
    )
    .map((each) => each.flat()),
  fc.tuple(fc.constantFrom('brand', 'doors').map(one('group_by')), size, page).map((each) => each.flat()),
);
const anyList = fc
  .record({
    tag: fc.constantFrom(...tags),
    kind: kinds,
    filters: fc.subarray([...filters], { maxLength: 6 }),
    turns: fc.array(fc.nat(), { minLength: 16, maxLength: 16 }),
  })
  .map(({ tag, kind, filters, turns }) => {
    const pairs: readonly Pair[] = [...kind, ...filters];
    const shuffled = pairs.map((pair, at) => ({ pair, turn: turns[at] ?? 0 })).sort((a, b) => a.turn - b.turn);
    return { tag, pairs: shuffled.map(({ pair }) => pair) };
  });

describe('in every language', () => {
  let send: Send;
  let words: Readonly<Record<Tag, Words>>;
  beforeAll(async () => {
    const locales = folderWith(...tags);
    const app = await openApp({ locales });
    afterAll(async () => {
      await app.close();
      rmSync(locales, { recursive: true });
    });
    send = app.send;
    for (const [path, body] of given) expect((await send('POST', path, body)).status).toBe(201);
    const known = await Promise.all(
      tags.map(async (tag) => [tag, wordsIn((await send('GET', `/api/locales/${tag}`)).json)] as const),
    );
    words = Object.fromEntries(known) as typeof words;
  });

  /** What an address asks for, by names, in one order. */
  const askedBy = (tag: string, address: string): readonly string[] =>
    [...new URLSearchParams(address.split('?')[1] ?? '')].map((pair) => words[tag as Tag].mean(pair).join('=')).sort();
  const isNoPlace = (pair: string): boolean => !PLACE.some((name) => pair.startsWith(`${name}=`));
  const tagOf = (address: string): string =>
    tags.find(
      (tag) => address.startsWith(`${words[tag].cars}`) && /^[/?]?$/.test(address[words[tag].cars.length] ?? ''),
    ) ?? '';
  const follow = async (address: string): Promise<TestResponse> => {
    const answer = await send('GET', address);
    expect([address, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([address, 200, '']);
    return answer;
  };
  const keysOf = (tag: Tag, { json }: TestResponse): readonly string[] => {
    const [key = ''] = words[tag].say(['identifier', '']);
    return json.map((each: Record<string, unknown>) => each[key] ?? JSON.stringify(each));
  };

  test('every link of a list is answered, and asks for the same list', () =>
    fc.assert(
      fc.asyncProperty(anyList, async ({ tag, pairs }) => {
        const addressOf = (some: readonly Pair[]): string =>
          `${words[tag].cars}?${some.map((pair) => words[tag].say(pair).map(encodeURIComponent).join('=')).join('&')}`;
        const sent = addressOf(pairs);
        const asked = askedBy(tag, sent);
        const keys: string[] = [];
        for (let next = sent; next !== ''; ) {
          const answer = await follow(next);
          keys.push(...keysOf(tag, answer));
          const [links, own] = [readLinks(answer), askedBy(tag, next)];
          expect(
            links
              .filter(({ rel }) => rel === 'alternate')
              .map(({ hreflang }) => hreflang)
              .sort(),
          ).toEqual(tags.filter((each) => each !== tag));
          for (const { address, rel, hreflang = tag } of links) {
            const same = rel === 'alternate' ? (): boolean => true : isNoPlace;
            expect([rel, address, tagOf(address), askedBy(hreflang, address).filter(same)]).toEqual([
              rel,
              address,
              hreflang,
              own.filter(same),
            ]);
            const followed = await follow(address);
            expect(followed.headers.get('x-total-count')).toBe(answer.headers.get('x-total-count'));
            if (rel === 'alternate') expect(keysOf(hreflang as Tag, followed).length).toBe(answer.json.length);
          }
          next = linkedFrom(answer, 'next');
        }
        // Whoever follows `next` from the first page has read all of the list.
        if (asked.some((pair) => /^page=[^1]/.test(pair))) return;
        const whole = await follow(
          addressOf(pairs.filter(([name]) => !['page', 'number_of_elements', 'changed_since'].includes(name))),
        );
        const isChanges = asked.includes('changed_since=0');
        if (pairs.some(([name]) => name === 'group_by')) expect(keys.length).toBe(whole.json.length);
        else
          expect(isChanges ? keys.toSorted() : keys).toEqual(
            isChanges ? keysOf(tag, whole).toSorted() : keysOf(tag, whole),
          );
      }),
      { numRuns: runsOf(30) },
    ));

  test('so is each address of an item, and of the response to a write', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tags),
        fc.constantFrom('simple', 'a/ñ %', '?&=#', 'd\'A+"\\'),
        parts.map((each) => each.flat()),
        fc.boolean(),
        async (tag, identifier, asked, isReversed) => {
          const [brand, model, key] = ['brand', 'model', 'identifier'].map(
            (name) => words[tag].say([name, ''])[0] ?? '',
          );
          const car = { [key ?? '']: identifier, [brand ?? '']: 'Seat', [model ?? '']: 'Ibiza' };
          const created = await send('POST', words[tag].cars, car);
          const location = created.headers.get('location') ?? '';
          expect([created.status, created.headers.get('content-location')]).toEqual([201, location]);
          const pairs = (isReversed ? asked.toReversed() : asked).map((pair) => words[tag].say(pair));
          const query = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs.map((pair) => [...pair]))}`;
          const answers = [
            created,
            await send('PUT', location, { [brand ?? '']: 'Opel' }),
            await send('PATCH', location, { [brand ?? '']: 'Seat' }),
            await follow(location + query),
          ];
          for (const answer of answers) {
            const links = readLinks(answer);
            expect(links.length).toBe(tags.length - 1);
            for (const { address, hreflang = '' } of links) {
              expect(askedBy(hreflang, address)).toEqual(
                answer === answers.at(-1) ? asked.map((pair) => pair.join('=')).sort() : [],
              );
              const { json } = await follow(address);
              expect(json[words[hreflang as Tag].say(['identifier', ''])[0]]).toBe(identifier);
            }
          }
          expect((await send('DELETE', location)).status).toBe(204);
        },
      ),
      { numRuns: runsOf(10) },
    ));
});
