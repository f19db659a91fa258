import type { CanonicalQuery, Target } from '../language/translate.ts';
import { fleet, givenCars, givenOils, ibiza, light, plain, zoe } from './data.ts';
import {
  BODY_LIMIT,
  cars,
  create,
  type ExpectedError,
  missing,
  oils,
  read,
  refused,
  type Scenario,
  type Step,
  slashed,
} from './scenario.ts';

const list = cars();
const at = cars(ibiza.identifier);
const oilList = oils(ibiza.identifier);
const oil = oils(ibiza.identifier, light.type);
/** Neither a word of any language nor one slip away from one. */
const NONSENSE = 'zzzqqq';

const unknown = (parameter: string): ExpectedError => ({ code: 'unknown-parameter', parameter });
const wrong = (parameter: string): ExpectedError => ({ code: 'invalid-parameter', parameter });
const invalid = (member: string): ExpectedError => ({ code: 'invalid-value', member });
const lacks = (member: string): ExpectedError => ({ code: 'missing-field', member });
const strange = (member: string): ExpectedError => ({ code: 'unknown-field', member });

type QueryCase = readonly [what: string, target: Target, query: CanonicalQuery, ...errors: readonly ExpectedError[]];

const queries: readonly QueryCase[] = [
  ['an unknown parameter', list, { [NONSENSE]: 'Seat' }, unknown(NONSENSE)],
  ['an unknown parameter of oils', oilList, { [NONSENSE]: 1 }, unknown(NONSENSE)],
  ['text as an integer', list, { year: 'x' }, wrong('year')],
  ['a fraction as an integer', list, { doors: '5.5' }, wrong('doors')],
  ['a good and a bad integer', list, { enginePower: [75, 'x'] }, wrong('enginePower')],
  ['a number as a flag', list, { clima: 1 }, wrong('clima')],
  ['upper case as a flag', list, { ac: 'TRUE' }, wrong('ac')],
  ['text as an end of a range', list, { year_from: 'x' }, wrong('year_from')],
  ['a fraction as an end of a range', list, { doors_to: '5.5' }, wrong('doors_to')],
  ['no end of a range', list, { enginePower_from: '' }, wrong('enginePower_from')],
  ['one end of a range twice', list, { year_to: [2000, 2001] }, wrong('year_to')],
  ['a range that ends before it begins', list, { year_from: 2010, year_to: 2005 }, wrong('year_from')],
  ['a range that begins at nothing', list, { year_from: 'x', year_to: 2005 }, wrong('year_from')],
  [
    'what is wrong with two ranges, together',
    list,
    { year_from: 2010, year_to: 2005, doors_from: 5, doors_to: 'x' },
    wrong('year_from'),
    wrong('doors_to'),
  ],
  ['a range of what has no order', list, { brand_from: 'a' }, unknown('brand_from')],
  ['an unknown field to sort by', list, { sort_by: NONSENSE }, wrong('sort_by')],
  ['an unknown field of oils to sort by', oilList, { sort_by: NONSENSE }, wrong('sort_by')],
  ['nothing to sort by', list, { sort_by: '' }, wrong('sort_by')],
  ['two fields to sort by', list, { sort_by: ['year', 'doors'] }, wrong('sort_by')],
  ['one field twice to sort by', list, { sort_by: 'year,doors,year' }, wrong('sort_by')],
  ['an empty field to sort by', list, { sort_by: 'year,' }, wrong('sort_by')],
  ['an unknown one of several fields', list, { sort_by: `year,${NONSENSE}`, order: 'asc,desc' }, wrong('sort_by')],
  ['more orders than fields', list, { sort_by: 'year,doors', order: 'asc,desc,asc' }, wrong('order')],
  ['several orders of creation', oilList, { order: 'asc,asc' }, wrong('order')],
  ['an empty order among others', list, { sort_by: 'year,doors', order: 'asc,' }, wrong('order')],
  ['an unknown order', list, { order: NONSENSE }, wrong('order')],
  ['no order', oilList, { order: '' }, wrong('order')],
  ['the same order twice', list, { order: ['asc', 'asc'] }, wrong('order')],
  ['no elements', list, { number_of_elements: 0 }, wrong('number_of_elements')],
  ['a negative number of elements', oilList, { number_of_elements: -1 }, wrong('number_of_elements')],
  ['an empty number of elements', list, { number_of_elements: '' }, wrong('number_of_elements')],
  ['two numbers of elements', list, { number_of_elements: [1, 2] }, wrong('number_of_elements')],
  ['page zero', oilList, { page: 0 }, wrong('page')],
  ['a page that is no number', list, { page: 'x' }, wrong('page')],
  ['a page that is a fraction', list, { page: '1.5' }, wrong('page')],
  ['two pages', list, { page: [1, 2] }, wrong('page')],
  ['no page', list, { page: '' }, wrong('page')],
  [
    'everything that is wrong, together',
    list,
    { [NONSENSE]: 1, year: 'x', clima: 'x', sort_by: NONSENSE, order: '', page: 0, number_of_elements: -1 },
    unknown(NONSENSE),
    ...['year', 'clima', 'sort_by', 'order', 'page', 'number_of_elements'].map(wrong),
  ],
  ['two errors of one kind, together', oilList, { page: 0, order: '' }, wrong('page'), wrong('order')],
];

type BodyCase = readonly [
  what: string,
  method: string,
  target: Target,
  body: unknown,
  ...errors: readonly ExpectedError[],
];

const bodies: readonly BodyCase[] = [
  ['an unknown member', 'PUT', at, { [NONSENSE]: 1 }, strange(NONSENSE)],
  ['an unknown member of an oil', 'PUT', oil, { [NONSENSE]: 1 }, strange(NONSENSE)],
  ['a car without a brand', 'POST', list, { model: 'Ibiza' }, lacks('brand')],
  ['a car without a model', 'POST', list, { brand: 'Seat' }, lacks('model')],
  ['a car without anything', 'POST', list, {}, lacks('brand'), lacks('model')],
  ['an oil without a type', 'POST', oilList, { otherInfo: 'Elf' }, lacks('type')],
  ['an oil whose type is null', 'POST', oilList, { type: null }, lacks('type')],
  ['a required field that is null', 'PUT', at, { brand: null }, invalid('brand')],
  ['a key that is null', 'PUT', at, { identifier: null }, invalid('identifier')],
  ['a blank brand', 'PUT', at, { brand: ' \t' }, invalid('brand')],
  ['an empty model', 'PUT', at, { model: '' }, invalid('model')],
  ['too long a brand', 'PUT', at, { brand: '😀'.repeat(201) }, invalid('brand')],
  ['too long a version', 'PUT', at, { version: 'x'.repeat(201) }, invalid('version')],
  ['too long a text of an oil', 'PUT', oil, { otherInfo: 'x'.repeat(10_001) }, invalid('otherInfo')],
  ['a number as text', 'PUT', at, { fuel: 95 }, invalid('fuel')],
  ['text as a number', 'PUT', at, { doors: '5' }, invalid('doors')],
  ['a fraction', 'PUT', at, { enginePower: 5.5 }, invalid('enginePower')],
  ['a year too early', 'PUT', at, { year: 1885 }, invalid('year')],
  ['a year too late', 'PUT', at, { year: 2101 }, invalid('year')],
  ['too many doors', 'PUT', at, { doors: 21 }, invalid('doors')],
  ['a negative engine power', 'PUT', at, { enginePower: -1 }, invalid('enginePower')],
  ['too much engine power', 'PUT', at, { enginePower: 10_001 }, invalid('enginePower')],
  ['a number as a flag', 'PUT', at, { clima: 1 }, invalid('clima')],
  ['text as a flag', 'PUT', at, { ac: 'true' }, invalid('ac')],
  ['a list as a text', 'PUT', at, { model: ['Ibiza'] }, invalid('model')],
  ['half a surrogate pair', 'PUT', at, { version: '\ud83d' }, invalid('version')],
  ['U+0000 in a text', 'PUT', oil, { otherInfo: 'a\0b' }, invalid('otherInfo')],
  ['an empty identifier', 'POST', list, { ...zoe, identifier: '' }, invalid('identifier')],
  ['a dot as an identifier', 'POST', list, { ...zoe, identifier: '.' }, invalid('identifier')],
  ['two dots as a type', 'POST', oilList, { type: '..' }, invalid('type')],
  ['a control character in a type', 'POST', oilList, { type: 'a\nb' }, invalid('type')],
  ['too long an identifier', 'POST', list, { ...zoe, identifier: 'x'.repeat(129) }, invalid('identifier')],
  ['a list as a body', 'PUT', at, [], invalid('')],
  ['a text as a body', 'PUT', at, '"x"', invalid('')],
  ['null as a body', 'PUT', oil, 'null', invalid('')],
  [
    'everything that is wrong, together',
    'POST',
    list,
    { identifier: '..', model: 5, year: 'x', doors: -1, enginePower: 1.5, version: 1, clima: 0, ac: '', [NONSENSE]: 1 },
    ...['identifier', 'model', 'year', 'doors', 'enginePower', 'version', 'clima', 'ac'].map(invalid),
    lacks('brand'),
    strange(NONSENSE),
  ],
  ['two errors of one kind, together', 'PUT', at, { doors: 'x', year: 'x' }, invalid('doors'), invalid('year')],
];

type Failure = readonly [what: string, step: Step];

const failure = (
  method: string,
  target: Target,
  status: number,
  code: string,
  more: Partial<Omit<Step, 'expect'>> & { readonly allow?: readonly string[]; readonly says?: string } = {},
): Step => {
  const { allow, says, ...rest } = more;
  const expect = { status, code, ...(allow ? { allow } : {}), ...(says === undefined ? {} : { says }) };
  return { method, target, ...rest, expect };
};

const refusedMethod = (method: string, target: Target): Step =>
  failure(method, target, 405, 'method-not-allowed', {
    allow:
      target === list || target === oilList
        ? ['GET', 'HEAD', 'POST', 'OPTIONS']
        : ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
    says: method,
  });

const ghost = cars('ghost-9');
const HTML = { accept: 'text/html' };
const PLAIN = { 'content-type': 'text/plain' };

const failures: readonly Failure[] = [
  ['a missing car, read', missing('GET', ghost, 'cars')],
  ['a missing car, updated', missing('PUT', ghost, 'cars')],
  ['a missing car, deleted', missing('DELETE', ghost, 'cars')],
  ['a missing oil, read', missing('GET', oils(ibiza.identifier, 'ghost-9'), 'oils')],
  ['a missing oil, updated', missing('PUT', slashed(oils(ibiza.identifier, 'ghost-9')), 'oils')],
  ['a missing oil, deleted', missing('DELETE', oils(ibiza.identifier, 'ghost-9'), 'oils')],
  ['an oil of a missing car, read', missing('GET', oils('ghost-9', light.type), 'cars')],
  ['an oil of a missing car, updated', missing('PUT', oils('ghost-9', light.type), 'cars')],
  ['an oil of a missing car, deleted', missing('DELETE', slashed(oils('ghost-9', light.type)), 'cars')],
  ['the oils of a missing car', missing('GET', oils('ghost-9'), 'cars')],
  ['an oil for a missing car', { ...missing('POST', oils('ghost-9'), 'cars'), body: light }],
  ['a key in another case', missing('GET', cars('SEAT-IBIZA-1'), 'cars')],
  [
    'no such path below an oil',
    failure('GET', { ...oil, rest: `/${NONSENSE}` }, 404, 'no-such-path', { says: NONSENSE }),
  ],
  [
    'no such path below a car',
    failure('GET', { ...at, rest: `/${NONSENSE}` }, 404, 'no-such-path', { says: NONSENSE }),
  ],
  ['POST to a car', refusedMethod('POST', at)],
  ['PUT to all cars', refusedMethod('PUT', list)],
  ['PATCH of all cars', refusedMethod('PATCH', list)],
  ['DELETE of all cars', refusedMethod('DELETE', list)],
  ['POST to an oil', refusedMethod('POST', oil)],
  ['PUT to all oils', refusedMethod('PUT', oilList)],
  ['PATCH of all oils', refusedMethod('PATCH', oilList)],
  ['DELETE of all oils', refusedMethod('DELETE', oilList)],
  ['a car as HTML', failure('GET', at, 406, 'not-acceptable', { headers: HTML, says: 'application/json' })],
  [
    'all cars as XML',
    failure('GET', list, 406, 'not-acceptable', { headers: { accept: 'application/xml, application/json;q=0' } }),
  ],
  ['a new oil as HTML', failure('POST', oilList, 406, 'not-acceptable', { headers: HTML, body: plain })],
  [
    'a body of plain text',
    failure('POST', list, 415, 'unsupported-media-type', { headers: PLAIN, body: zoe, says: 'application/json' }),
  ],
  [
    'a body of another patch',
    failure('PUT', at, 415, 'unsupported-media-type', {
      headers: { 'content-type': 'application/json-patch+json' },
      body: [],
    }),
  ],
  [
    'a body that is too large',
    failure('PUT', oil, 413, 'body-too-large', { body: { otherInfo: 'x'.repeat(BODY_LIMIT) } }),
  ],
  ['a body that is no JSON', failure('POST', list, 400, 'malformed-json', { body: '{' })],
  [
    'an idempotency key in one quotation mark',
    failure('POST', list, 400, 'invalid-header', { headers: { 'idempotency-key': '"' }, body: zoe, says: '255' }),
  ],
  ['an empty body', failure('PUT', at, 400, 'malformed-json', { body: '' })],
  [
    'a member twice',
    failure('PUT', oil, 400, 'malformed-json', { body: `{"${NONSENSE}":1,"${NONSENSE}":2}`, says: NONSENSE }),
  ],
  ['broken percent-encoding in a path', failure('GET', { ...list, rest: '/%zz' }, 400, 'malformed-path')],
  ['bytes that are not UTF-8 in a path', failure('GET', { ...oilList, rest: '/%c3%28' }, 400, 'malformed-path')],
  ['U+0000 in a path', failure('DELETE', { ...list, rest: '/a%00b' }, 400, 'malformed-path')],
  ['too long a URL', failure('GET', cars('x'.repeat(8200)), 414, 'uri-too-long')],
  [
    'a car whose key is taken',
    failure('POST', list, 409, 'already-exists', {
      body: { ...zoe, identifier: ibiza.identifier },
      says: ibiza.identifier,
    }),
  ],
  ['an oil whose key is taken', failure('POST', oilList, 409, 'already-exists', { body: light, says: light.type })],
  ['another key for a car', failure('PUT', at, 409, 'key-mismatch', { body: { identifier: 'zoe' }, says: 'zoe' })],
  ['another key for an oil', failure('PUT', slashed(oil), 409, 'key-mismatch', { body: plain, says: plain.type })],
];

/** Contract §3, the order of faults: each request has two that follow each other in it. */
const precedence: readonly Failure[] = [
  ['a malformed path before no such path', failure('GET', { ...oil, rest: '/%zz' }, 400, 'malformed-path')],
  ['no such path before a method', failure('PATCH', { ...oil, rest: `/${NONSENSE}` }, 404, 'no-such-path')],
  ['a method before the media type asked for', { ...refusedMethod('POST', at), headers: HTML, body: zoe }],
  [
    'the media type asked for before the one sent',
    failure('PUT', at, 406, 'not-acceptable', { headers: { ...HTML, ...PLAIN }, body: {} }),
  ],
  [
    'the media type sent before the size',
    failure('PUT', at, 415, 'unsupported-media-type', { headers: PLAIN, body: 'x'.repeat(BODY_LIMIT + 1) }),
  ],
  ['the size before the syntax', failure('PUT', at, 413, 'body-too-large', { body: 'x'.repeat(BODY_LIMIT + 1) })],
  ['the syntax before a missing item', failure('PUT', ghost, 400, 'malformed-json', { body: '{' })],
  [
    'the query before a missing car',
    refused({ method: 'GET', target: oils('ghost-9'), query: { page: 0 } }, '', wrong('page')),
  ],
  ['a missing car before its body', { ...missing('PUT', ghost, 'cars'), body: { doors: 'x' } }],
  ['a missing car before the body of its oil', { ...missing('POST', oils('ghost-9'), 'cars'), body: { otherInfo: 5 } }],
  ['a missing car before another key', { ...missing('PUT', ghost, 'cars'), body: { identifier: 'zoe' } }],
  [
    'the body before another key',
    refused({ method: 'PUT', target: at, body: { identifier: 'zoe', doors: 'x' } }, '', invalid('doors')),
  ],
  [
    'the body before a key that is taken',
    refused(
      { method: 'POST', target: list, body: { identifier: ibiza.identifier, brand: 'Seat' } },
      '',
      lacks('model'),
    ),
  ],
];

/** Whatever is refused changes nothing. */
const unchanged: readonly Step[] = [read(list, [ibiza]), read(oilList, [light])];
const given = givenOils([light]);

export const refusalScenarios: readonly Scenario[] = [
  ...queries.map(([what, target, query, ...errors]) => ({
    name: `refuses ${what} in a query`,
    steps: [...given, refused({ method: 'GET', target, query }, 'invalid-query', ...errors)],
  })),
  ...bodies.map(([what, method, target, body, ...errors]) => ({
    name: `refuses ${what} in a body`,
    steps: [...given, refused({ method, target, body }, 'invalid-body', ...errors), ...unchanged],
  })),
  ...failures.map(([what, step]) => ({ name: `refuses ${what}`, steps: [...given, step, ...unchanged] })),
  ...precedence.map(([what, step]) => ({ name: `puts ${what}`, steps: [...given, step, ...unchanged] })),
  {
    name: 'refuses to create the same car twice and keeps the first',
    steps: [
      ...givenCars(fleet),
      { ...create(list, { ...zoe, brand: 'Seat' }), expect: { status: 409, code: 'already-exists', says: 'zoe' } },
      read(list, fleet),
    ],
  },
];
