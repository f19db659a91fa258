import { c3, fleet, givenCars, givenOils, heavy, ibiza, leon, light, mild, plain, shelf, xsara, zoe } from './data.ts';
import {
  ASSIGNED,
  cars,
  create,
  idempotent,
  missing,
  oils,
  patch,
  read,
  remove,
  type Scenario,
  slashed,
  update,
} from './scenario.ts';

const at = cars(ibiza.identifier);
const oil = oils(ibiza.identifier, light.type);
const { identifier: _, ...unnamed } = c3;
const { enginePower: __, clima: ___, fuel: ____, ...cleared } = ibiza;
const { otherInfo: _____, ...bare } = light;

const carScenarios: readonly Scenario[] = [
  { name: 'creates a car with a slug and reads it', steps: [create(slashed(cars()), ibiza), read(at, ibiza)] },
  { name: 'creates a car with a UUID and reads it', steps: [create(cars(), leon), read(cars(leon.identifier), leon)] },
  {
    name: 'creates a car without an identifier and assigns one',
    steps: [
      create(slashed(cars()), unnamed, { ...unnamed, identifier: ASSIGNED }),
      read(cars(ASSIGNED), { ...unnamed, identifier: ASSIGNED }),
    ],
  },
  {
    name: 'creates a car once, however often it is sent with one key, and refuses another with that key',
    steps: [
      idempotent(create(cars(), zoe)),
      idempotent(create(slashed(cars()), { year: null, ...zoe }, zoe)),
      {
        ...idempotent(create(cars(), c3)),
        expect: { status: 422, code: 'idempotency-mismatch', says: 'Idempotency-Key' },
      },
      read(cars(), [zoe]),
    ],
  },
  {
    name: 'takes an identifier that is null as absent',
    steps: [create(cars(), { ...c3, identifier: null }, { ...c3, identifier: ASSIGNED })],
  },
  {
    name: 'creates a car with nothing but what is required',
    steps: [create(cars(), zoe), read(cars(zoe.identifier), zoe)],
  },
  {
    name: 'leaves out what is sent as null on create',
    steps: [create(cars(), { ...zoe, year: null, clima: null, fuel: null }, zoe)],
  },
  {
    name: 'keeps an identifier with a slash, a space, an accent and a question mark',
    steps: [
      create(cars(), xsara),
      read(cars(xsara.identifier), xsara),
      update(cars(xsara.identifier), { doors: 5 }, { ...xsara, doors: 5 }),
      create(oils(xsara.identifier), heavy),
      read(oils(xsara.identifier, heavy.type), heavy),
      remove(cars(xsara.identifier)),
    ],
  },
  {
    name: 'returns free text, blanks at its ends and decomposed accents included, as sent',
    steps: [
      create(cars(), { ...zoe, version: '  Cafe\u0301 «x» "y" \\ ', fuel: ' ' }),
      read(cars(zoe.identifier), { ...zoe, version: '  Cafe\u0301 «x» "y" \\ ', fuel: ' ' }),
    ],
  },
  {
    name: 'takes the limits of every field',
    steps: [
      create(cars(), { ...zoe, year: 1886, doors: 0, enginePower: 0, version: '' }),
      update(
        cars(zoe.identifier),
        { year: 2100, doors: 20, enginePower: 10_000, version: '😀'.repeat(200) },
        { ...zoe, year: 2100, doors: 20, enginePower: 10_000, version: '😀'.repeat(200) },
      ),
    ],
  },
  { name: 'lists no cars where there are none', steps: [read(cars(), []), read(slashed(cars()), [])] },
  { name: 'lists all cars in the order of their creation', steps: [...givenCars(fleet), read(cars(), fleet)] },
  {
    name: 'changes the engine power alone and leaves the rest',
    steps: [
      create(cars(), ibiza),
      update(at, { enginePower: 130 }, { ...ibiza, enginePower: 130 }),
      read(at, { ...ibiza, enginePower: 130 }),
    ],
  },
  {
    name: 'changes every field of a car at once, its own identifier among the members',
    steps: [
      create(cars(), { ...zoe, identifier: ibiza.identifier }),
      update(slashed(at), ibiza, ibiza),
      read(slashed(at), ibiza),
    ],
  },
  {
    name: 'clears optional fields with null',
    steps: [
      create(cars(), ibiza),
      update(at, { enginePower: null, clima: null, fuel: null }, cleared),
      read(at, cleared),
      update(at, { clima: false }, { ...cleared, clima: false }),
    ],
  },
  {
    name: 'changes nothing where nothing is sent',
    steps: [create(cars(), ibiza), update(at, {}, ibiza), read(at, ibiza)],
  },
  {
    name: 'patches fields of a car, clears others and leaves the rest',
    steps: [
      create(cars(), ibiza),
      patch(at, { enginePower: null, clima: null, fuel: null }, cleared),
      read(at, cleared),
      patch(slashed(at), { identifier: ibiza.identifier, doors: 3 }, { ...cleared, doors: 3 }),
      patch(at, {}, { ...cleared, doors: 3 }),
      read(at, { ...cleared, doors: 3 }),
    ],
  },
  {
    name: 'deletes a car once',
    steps: [...givenCars(fleet), remove(at), missing('DELETE', at, 'cars'), read(cars(), [c3, xsara, leon, zoe])],
  },
  {
    name: 'deletes the oils of a car with it',
    steps: [...givenOils(shelf), remove(slashed(at)), create(cars(), ibiza), read(oils(ibiza.identifier), [])],
  },
];

const oilScenarios: readonly Scenario[] = [
  {
    name: 'adds an oil to a car and reads it, with and without a slash',
    steps: [
      create(cars(), ibiza),
      create(slashed(oils(ibiza.identifier)), light),
      create(oils(ibiza.identifier), heavy),
      read(oil, light),
      read(slashed(oil), light),
    ],
  },
  {
    name: 'updates an oil, with and without a slash',
    steps: [
      ...givenOils([light]),
      update(slashed(oil), { ...light, otherInfo: 'Repsol' }, { ...light, otherInfo: 'Repsol' }),
      update(oil, { otherInfo: 'Elf' }, { ...light, otherInfo: 'Elf' }),
      update(oil, {}, { ...light, otherInfo: 'Elf' }),
      update(slashed(oil), { otherInfo: null }, bare),
      read(oil, bare),
    ],
  },
  {
    name: 'patches an oil, with and without a slash',
    steps: [
      ...givenOils([light]),
      patch(slashed(oil), { otherInfo: 'Elf' }, { ...light, otherInfo: 'Elf' }),
      patch(oil, { otherInfo: null }, bare),
      read(oil, bare),
      missing('PATCH', oils(ibiza.identifier, 'ghost-9'), 'oils'),
      missing('PATCH', oils('ghost-9', light.type), 'cars'),
    ],
  },
  {
    name: 'deletes an oil once, with and without a slash, and leaves the others',
    steps: [
      ...givenOils(shelf),
      remove(oil),
      missing('DELETE', slashed(oil), 'oils'),
      remove(slashed(oils(ibiza.identifier, heavy.type))),
      read(oils(ibiza.identifier), [plain, mild]),
      read(at, ibiza),
    ],
  },
  {
    name: 'lists the oils of one car only',
    steps: [
      ...givenOils(shelf),
      create(cars(), c3),
      create(oils(c3.identifier), light),
      read(oils(ibiza.identifier), shelf),
      read(slashed(oils(c3.identifier)), [light]),
    ],
  },
  {
    name: 'tells oils apart by the exact type',
    steps: [
      ...givenOils([mild]),
      create(oils(ibiza.identifier), { type: '5W-20' }),
      read(oils(ibiza.identifier, '5W-20'), { type: '5W-20' }),
      read(oils(ibiza.identifier, '5w-20'), mild),
      missing('GET', oils(ibiza.identifier, '5W-2'), 'oils'),
    ],
  },
];

const LIST = ['GET', 'HEAD', 'POST', 'OPTIONS'];
const ITEM = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const optionScenarios: readonly Scenario[] = [
  { what: 'all cars', target: cars(), allow: LIST },
  { what: 'a car', target: at, allow: ITEM },
  { what: 'all oils of a car', target: oils(ibiza.identifier), allow: LIST },
  { what: 'an oil', target: oil, allow: ITEM },
].map(({ what, target, allow }) => ({
  name: `says what can be done with ${what}`,
  steps: [...givenOils([light]), { method: 'OPTIONS', target, expect: { status: 204, allow } }],
}));

export const itemScenarios: readonly Scenario[] = [...carScenarios, ...oilScenarios, ...optionScenarios];
