import { describe, expect, test } from 'vitest';
import type { Collection } from '../../src/gateway/model/catalogue.ts';
import type { Cell } from '../../src/gateway/model/field.ts';
import type { Precondition } from '../../src/gateway/model/precondition.ts';
import type { Intent, Keys, Outcome, Row } from '../../src/gateway/port/port.ts';
import { applyIntent, type TransactionRows } from '../../src/store/apply.ts';
import { openChangeSet } from '../../src/store/change-set.ts';
import { shop } from './sql/catalogue.ts';

const nameOf = ({ name }: Collection, keys: Keys): string => [name, ...keys].join(' ');

/** Of a request that made another row, when the catalogue had another field and lacked the weight. */
const KNOWN = { key: 'known', payload: 'p', result: '[5,{"number":"x","maker":"Fiat","gone":1}]', expires: 900 };

/** Rows in a map, with what was done to them. */
const rowsIn = (rows: Map<string, Row>) => {
  const done: string[] = [];
  const found: string[] = [];
  const access: TransactionRows = {
    read: (collection, keys) => rows.get(nameOf(collection, keys)),
    insert: (collection, change, parents, cells) => {
      done.push(`insert ${nameOf(collection, [...parents, String(cells[0])])} ${change}`);
    },
    update: (collection, change, keys) => {
      done.push(`update ${nameOf(collection, keys)} ${change}`);
    },
    remove: (collection, change, keys) => {
      done.push(`remove ${nameOf(collection, keys)} ${change}`);
    },
    record: (key) => {
      found.push(key);
      return key === 'known' ? KNOWN : undefined;
    },
  };
  return { access, done, found };
};

const LAST = 100;
/** So that numbers count on from the last. */
const LONG_AGO = 0;
const existing = (): Map<string, Row> =>
  new Map<string, Row>([
    ['parts p', [7, 'p', 'Seat', 3, null]],
    ['screws p M4', [8, 'M4', 'Zinc']],
  ]);

const create = (collection: string, parents: Keys, ...cells: readonly Cell[]) => ({
  kind: 'create' as const,
  collection,
  parents,
  cells,
});
const precondition = (match: Precondition['match'], noneMatch?: Precondition['noneMatch']) => ({ match, noneMatch });
const unmet = precondition([6]);
const again = (payload: string) => ({ key: 'known', payload, received: 899, expires: 999 });

const failed: Outcome = { kind: 'precondition-failed', condition: 'match' };
const noPart: Outcome = { kind: 'missing', collection: 'parts' };
const noScrew: Outcome = { kind: 'missing', collection: 'screws' };

interface Applied {
  readonly outcome: Outcome;
  readonly done?: readonly string[];
}

const table: readonly (readonly [what: string, intent: Intent, applied: Applied])[] = [
  [
    'creates an item',
    create('parts', [], 'q', 'SEAT', null, 1),
    {
      outcome: { kind: 'written', row: [101, 'q', 'SEAT', null, 1] },
      done: ['insert parts q 101'],
    },
  ],
  [
    'creates a nested item',
    create('screws', ['p'], 'M5', null),
    { outcome: { kind: 'written', row: [101, 'M5', null] }, done: ['insert screws p M5 101'] },
  ],
  [
    'creates nothing where the key is taken',
    create('parts', [], 'p', null, null, null),
    { outcome: { kind: 'already-exists' } },
  ],
  ['creates nothing in a parent that is missing', create('screws', ['q'], 'M4', null), { outcome: noPart }],
  [
    'creates nothing where the same request was carried out, and tells what it wrote in the fields of today',
    { ...create('parts', [], 'q', 'SEAT', null, 1), idempotency: again('p') },
    { outcome: { kind: 'written', row: [5, 'x', 'Fiat', null, null], isUnchanged: true } },
  ],
  [
    'creates nothing where another request had its idempotency key, be the parent missing or not',
    { ...create('screws', ['q'], 'M4', null), idempotency: again('q') },
    { outcome: { kind: 'idempotency-mismatch' } },
  ],
  [
    'updates the fields that are sent',
    { kind: 'update', collection: 'parts', keys: ['p'], changes: [undefined, 'Škoda', null, 1] },
    {
      outcome: { kind: 'written', row: [101, 'p', 'Škoda', null, 1] },
      done: ['update parts p 101'],
    },
  ],
  [
    'takes no number for an update that changes nothing',
    { kind: 'update', collection: 'parts', keys: ['p'], changes: ['p', 'Seat', undefined, null] },
    { outcome: { kind: 'written', row: [7, 'p', 'Seat', 3, null], isUnchanged: true } },
  ],
  [
    'updates where the precondition holds',
    {
      kind: 'update',
      collection: 'screws',
      keys: ['p', 'M4'],
      changes: [undefined, ''],
      precondition: precondition([8]),
    },
    { outcome: { kind: 'written', row: [101, 'M4', ''] }, done: ['update screws p M4 101'] },
  ],
  [
    'updates nothing where it does not',
    { kind: 'update', collection: 'parts', keys: ['p'], changes: ['p', 'Seat', 3, null], precondition: unmet },
    { outcome: failed },
  ],
  [
    'updates nothing where the item is missing, whatever the precondition',
    { kind: 'update', collection: 'parts', keys: ['q'], changes: ['q', 'x', 1, 1], precondition: precondition('*') },
    { outcome: noPart },
  ],
  [
    'names the nested item where its parent exists',
    { kind: 'update', collection: 'screws', keys: ['p', 'M9'], changes: [undefined, 'x'] },
    { outcome: noScrew },
  ],
  [
    'names the parent where both are missing',
    { kind: 'remove', collection: 'screws', keys: ['q', 'M4'] },
    { outcome: noPart },
  ],
  [
    'removes an item',
    { kind: 'remove', collection: 'parts', keys: ['p'], precondition: precondition([7, 9]) },
    {
      outcome: { kind: 'removed', change: 101 },
      done: ['remove parts p 101'],
    },
  ],
  [
    'removes nothing where its state is ruled out',
    { kind: 'remove', collection: 'parts', keys: ['p'], precondition: precondition(undefined, '*') },
    { outcome: { kind: 'precondition-failed', condition: 'noneMatch' } },
  ],
];

describe('an intent', () => {
  test.each(table)('%s', (_, intent, { outcome, done = [] }) => {
    const rows = rowsIn(existing());
    const changeSet = openChangeSet(LAST, LONG_AGO);
    expect(applyIntent(shop, rows.access, intent, changeSet)).toEqual(outcome);
    expect(rows.done).toEqual(done);
    expect(rows.found).toEqual('idempotency' in intent ? ['known'] : []);
    expect(changeSet.lastChange()).toBe(done.length === 0 ? undefined : LAST + 1);
  });

  const malformed: readonly (readonly [reason: string, intent: Intent])[] = [
    ['parts has 4 fields, not 3', create('parts', [], 'q', null, null)],
    ['parts has 4 fields, not 5', create('parts', [], 'q', null, null, null, null)],
    ['screws has 2 fields, not 1', { kind: 'update', collection: 'screws', keys: ['p', 'M4'], changes: [undefined] }],
    ['no collection "nuts"', { kind: 'remove', collection: 'nuts', keys: ['n'] }],
  ];
  test.each(malformed)('is refused: %s', (reason, intent) => {
    const rows = rowsIn(existing());
    const changeSet = openChangeSet(LAST, LONG_AGO);
    expect(() => applyIntent(shop, rows.access, intent, changeSet)).toThrow(reason);
    expect([rows.done, changeSet.lastChange()]).toEqual([[], undefined]);
  });
});
