import type { CanonicalQuery, Resource, Target } from '../language/translate.ts';
import {
  c3,
  fleet,
  givenCars,
  givenOils,
  heavy,
  ibiza,
  leon,
  light,
  many,
  manyOils,
  mild,
  plain,
  shelf,
  xsara,
  zoe,
} from './data.ts';
import { cars, oils, type Scenario, type Step } from './scenario.ts';

interface Paged {
  readonly total: number;
  readonly pages: Readonly<Record<string, number>>;
}
type Case = readonly [what: string, query: CanonicalQuery, found: readonly Resource[], paged?: Paged];

const carFilters: readonly Case[] = [
  ['by text, ignoring accents and case', { brand: 'citroen' }, [c3, xsara]],
  ['by text with a composed accent', { brand: 'CITROËN' }, [c3, xsara]],
  ['by text with a decomposed accent', { brand: 'Citroe\u0308n' }, [c3, xsara]],
  ['by text that has the accent', { model: 'leon' }, [leon]],
  ['by a whole text, not by a part of it', { brand: 'Citro' }, []],
  ['by text with blanks and signs', { version: '1.9 tdi sport' }, [ibiza]],
  ['by free text', { fuel: 'diesel' }, [c3, ibiza]],
  ['by the key, ignoring accents and case', { identifier: 'XSARA/95 N?' }, [xsara]],
  ['by an integer', { year: 2008 }, [ibiza, leon]],
  ['by another integer', { doors: 3 }, [xsara]],
  ['by the engine power', { enginePower: 75 }, [c3]],
  ['by an integer beyond the limits of its field', { year: 3000 }, []],
  ['by a negative integer', { doors: -5 }, []],
  ['by an integer of any length', { doors: '99999999999999999999' }, []],
  ['by a flag that is true', { clima: true }, [c3, ibiza]],
  ['by a flag that is false', { ac: false }, [xsara, ibiza]],
  ['by one of several values of one field', { brand: ['Renault', 'seat'] }, [ibiza, leon, zoe]],
  ['by one of several integers', { year: [1998, 2010, 3000] }, [c3, xsara]],
  ['by several fields at once', { brand: 'Seat', doors: 5, clima: true }, [ibiza]],
  [
    'by several fields of which one has two values',
    { brand: ['Seat', 'Citroën'], year: [2008, 1998], ac: false },
    [xsara, ibiza],
  ],
  ['by nothing where the value is empty', { brand: '', year: '', clima: '' }, fleet],
  ['by the rest where one of several values is empty', { brand: ['', 'Seat'] }, [ibiza, leon]],
  ['by what no car has', { brand: 'Lada' }, []],
  ['by a word, ignoring accents and case', { search: 'CITROEN' }, [c3, xsara]],
  ['by the beginnings of several words', { search: 'ib «1.9» sea' }, [ibiza]],
  ['by a word and a field', { search: 'seat', clima: true }, [ibiza]],
  ['by a word, in another order', { search: 'seat', sort_by: 'model', order: 'desc' }, [leon, ibiza]],
];

const carRanges: readonly Case[] = [
  ['from a value, which is within it', { year_from: 2008 }, [c3, ibiza, leon]],
  ['to a value, which is within it', { year_to: 2008 }, [xsara, ibiza, leon]],
  ['of both ends', { year_from: 1999, year_to: 2009 }, [ibiza, leon]],
  ['of one value', { year_from: 1998, year_to: 1998 }, [xsara]],
  ['of nothing', { year_from: 1999, year_to: 2007 }, []],
  ['below every limit, of all that have a value', { year_from: 0 }, [c3, xsara, ibiza, leon]],
  ['beyond every limit', { year_from: '99999999999999999999' }, []],
  ['below zero', { doors_to: -1 }, []],
  ['of two fields', { doors_to: 4, enginePower_from: 0, enginePower_to: 1000 }, []],
  ['of doors', { doors_from: 4 }, [c3, ibiza, leon]],
  ['and one of its values', { year_from: 2000, year: [1998, 2010] }, [c3]],
  ['and other fields', { brand: 'seat', enginePower_from: 106 }, [leon]],
  [
    'sorted by its field, in pages',
    { year_to: 2009, sort_by: 'year', order: 'desc', number_of_elements: 1, page: 2 },
    [ibiza],
    { total: 3, pages: { first: 1, prev: 1, next: 3, last: 3 } },
  ],
  [
    'sorted by several fields',
    { year_from: 1990, sort_by: 'brand,year', order: 'desc,desc' },
    [leon, ibiza, c3, xsara],
  ],
];

const carOrders: readonly Case[] = [
  ['by nothing, the last created first', { order: 'desc' }, [zoe, leon, ibiza, xsara, c3]],
  ['by nothing, the first created first', { order: 'asc' }, fleet],
  ['by a text, the first created first among equals', { sort_by: 'brand' }, [c3, xsara, zoe, ibiza, leon]],
  [
    'by a text downwards, the last created first among equals',
    { sort_by: 'brand', order: 'desc' },
    [leon, ibiza, zoe, xsara, c3],
  ],
  ['by another text, ignoring accents', { sort_by: 'model', order: 'asc' }, [c3, ibiza, leon, xsara, zoe]],
  ['by the key, ignoring case', { sort_by: 'identifier' }, [c3, leon, ibiza, xsara, zoe]],
  ['by an integer, missing ones last', { sort_by: 'year' }, [xsara, ibiza, leon, c3, zoe]],
  ['by an integer downwards, missing ones last', { sort_by: 'year', order: 'desc' }, [c3, leon, ibiza, xsara, zoe]],
  ['by the doors, missing ones last', { sort_by: 'doors' }, [xsara, c3, ibiza, leon, zoe]],
  [
    'by the engine power, missing ones last in the order of creation',
    { sort_by: 'enginePower', order: 'desc' },
    [leon, ibiza, c3, xsara, zoe],
  ],
  ['by a text that some lack, an empty one first', { sort_by: 'fuel' }, [leon, c3, ibiza, xsara, zoe]],
  ['by a text that some lack, downwards', { sort_by: 'version', order: 'desc' }, [ibiza, c3, xsara, leon, zoe]],
  ['by a flag, missing ones last', { sort_by: 'clima' }, [leon, c3, ibiza, xsara, zoe]],
  ['by a flag downwards, missing ones last', { sort_by: 'ac', order: 'desc' }, [c3, ibiza, xsara, leon, zoe]],
];

const severalOrders: readonly Case[] = [
  ['the second among equals in the first', { sort_by: 'brand,year' }, [xsara, c3, zoe, ibiza, leon]],
  ['each in its own order', { sort_by: 'brand,year', order: 'desc,asc' }, [ibiza, leon, zoe, xsara, c3]],
  [
    'the last created first among equals in both',
    { sort_by: 'brand,year', order: 'asc,desc' },
    [c3, xsara, zoe, leon, ibiza],
  ],
  ['upwards where no order is sent', { sort_by: 'year,model', order: 'desc' }, [c3, ibiza, leon, xsara, zoe]],
  [
    'pages',
    { sort_by: 'brand,model', order: 'desc,desc', number_of_elements: 2, page: 2 },
    [zoe, xsara],
    { total: 5, pages: { first: 1, prev: 1, next: 3, last: 3 } },
  ],
];

const carPages: readonly Case[] = [
  [
    'as many as asked for',
    { number_of_elements: 10 },
    many.slice(0, 10),
    { total: 45, pages: { first: 1, next: 2, last: 5 } },
  ],
  ['all where more are asked for', { number_of_elements: 1000 }, many, { total: 45, pages: { first: 1, last: 1 } }],
  [
    'a page of a size',
    { number_of_elements: 10, page: 2 },
    many.slice(10, 20),
    { total: 45, pages: { first: 1, prev: 1, next: 3, last: 5 } },
  ],
  [
    'the last page of a size',
    { page: 5, number_of_elements: 10 },
    many.slice(40),
    { total: 45, pages: { first: 1, prev: 4, last: 5 } },
  ],
  [
    'the only page of just the size',
    { number_of_elements: 45, page: 1 },
    many,
    { total: 45, pages: { first: 1, last: 1 } },
  ],
  ['pages of twenty: the first', { page: 1 }, many.slice(0, 20), { total: 45, pages: { first: 1, next: 2, last: 3 } }],
  [
    'pages of twenty: the second',
    { page: 2 },
    many.slice(20, 40),
    { total: 45, pages: { first: 1, prev: 1, next: 3, last: 3 } },
  ],
  ['pages of twenty: the last', { page: 3 }, many.slice(40), { total: 45, pages: { first: 1, prev: 2, last: 3 } }],
  ['nothing beyond the end', { page: 4 }, [], { total: 45, pages: { first: 1, prev: 3, last: 3 } }],
  [
    'nothing far beyond the end',
    { page: '99999999999999999999', number_of_elements: 10 },
    [],
    { total: 45, pages: { first: 1, prev: 5, last: 5 } },
  ],
  [
    'the one page of what nothing matches',
    { brand: 'Lada', number_of_elements: 5 },
    [],
    { total: 0, pages: { first: 1, last: 1 } },
  ],
  [
    'a page of what matches, downwards',
    { brand: 'skoda', order: 'desc', number_of_elements: 4, page: 2 },
    ['n-37', 'n-35', 'n-33', 'n-31'].flatMap((key) => many.filter(({ identifier }) => identifier === key)),
    { total: 23, pages: { first: 1, prev: 1, next: 3, last: 6 } },
  ],
];

const everything: readonly Case[] = [
  [
    'a page of several filters in an order',
    { brand: ['Citroën', 'Seat'], doors: 5, sort_by: 'year', order: 'desc', number_of_elements: 1, page: 2 },
    [leon],
    { total: 3, pages: { first: 1, prev: 1, next: 3, last: 3 } },
  ],
  [
    'a page where present and missing values meet',
    { sort_by: 'enginePower', order: 'desc', number_of_elements: 2, page: 2 },
    [c3, xsara],
    { total: 5, pages: { first: 1, prev: 1, next: 3, last: 3 } },
  ],
];

const oilLists: readonly Case[] = [
  ['sorted by type', { sort_by: 'type' }, [heavy, mild, light, plain]],
  ['sorted by type upwards', { sort_by: 'type', order: 'asc' }, [heavy, mild, light, plain]],
  ['sorted by type downwards', { sort_by: 'type', order: 'desc' }, [plain, light, mild, heavy]],
  ['sorted by free text, missing ones last', { sort_by: 'otherInfo', order: 'desc' }, [mild, heavy, light, plain]],
  ['filtered by type', { type: '5w-30' }, [light]],
  ['filtered by free text', { otherInfo: 'Elf' }, [heavy, mild]],
  ['filtered by one of several types', { type: ['nº 1', '10w/40', 'zzz'] }, [heavy, plain]],
  ['the first two', { number_of_elements: 2 }, [light, heavy], { total: 4, pages: { first: 1, next: 2, last: 2 } }],
  [
    'the second page of three',
    { number_of_elements: 3, page: 2 },
    [mild],
    { total: 4, pages: { first: 1, prev: 1, last: 2 } },
  ],
  ['beyond the end', { number_of_elements: 3, page: 3 }, [], { total: 4, pages: { first: 1, prev: 2, last: 2 } }],
  [
    'everything at once',
    { otherInfo: ['elf', ''], sort_by: 'otherInfo', order: 'asc', number_of_elements: 1, page: 2 },
    [mild],
    { total: 2, pages: { first: 1, prev: 1, last: 2 } },
  ],
];

const manyOilPages: readonly Case[] = [
  [
    'pages of twenty',
    { page: 2 },
    manyOils.slice(20, 40),
    { total: 45, pages: { first: 1, prev: 1, next: 3, last: 3 } },
  ],
  [
    'a page downwards',
    { sort_by: 'type', order: 'desc', page: 3 },
    manyOils.slice(0, 5).toReversed(),
    { total: 45, pages: { first: 1, prev: 2, last: 3 } },
  ],
];

const listScenario =
  (verb: string, given: readonly Step[], target: Target) =>
  ([what, query, body, paged]: Case): Scenario => ({
    name: `${verb} ${what}`,
    steps: [...given, { method: 'GET', target, query, expect: { status: 200, body, ...paged } }],
  });

export const listScenarios: readonly Scenario[] = [
  ...carFilters.map(listScenario('filters cars', givenCars(fleet), cars())),
  ...carRanges.map(listScenario('limits cars to a range', givenCars(fleet), cars())),
  ...carOrders.map(listScenario('sorts cars', givenCars(fleet), cars())),
  ...severalOrders.map(listScenario('sorts cars by several fields:', givenCars(fleet), cars())),
  ...everything.map(listScenario('lists cars:', givenCars(fleet), cars())),
  ...carPages.map(listScenario('pages cars:', givenCars(many), cars())),
  ...oilLists.map(listScenario('lists oils', givenOils(shelf), oils(ibiza.identifier))),
  ...manyOilPages.map(listScenario('pages oils:', givenOils(manyOils), oils(ibiza.identifier))),
];
