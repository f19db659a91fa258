import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/catalogue.ts';
import { collection, collectionOf, defineCatalogue } from '../../src/model/catalogue.ts';
import { toCells, toChanges } from '../../src/model/cells.ts';
import { flag, integer, key, text } from '../../src/model/field.ts';

const [parts, screws] = defineCatalogue(
  collection(
    'parts',
    { number: key(), name: text({ max: 20 }), weight: integer({ min: 0, max: 9 }), spare: flag() },
    collection('screws', { thread: key() }),
  ),
);
if (!parts || !screws) throw new TypeError('no catalogue');

describe('cells by the names of their fields', () => {
  test('are put in the order of the fields, with null where there is none', () => {
    expect(toCells(parts, { spare: 0, number: 'x' })).toEqual(['x', null, null, 0]);
    expect(toCells(parts, { number: 'x', name: undefined, weight: null })).toEqual(['x', null, null, null]);
    expect(toCells(screws, { thread: 'M4' })).toEqual(['M4']);
  });

  test('leave a field as it is where an update does not name it', () => {
    expect(toChanges(parts, { weight: null, name: '' })).toEqual([undefined, '', null, undefined]);
    expect(toChanges(parts, {})).toEqual([undefined, undefined, undefined, undefined]);
  });

  test.each(['wieght', 'thread', 'constructor'])('are refused where there is no field %s', (name) => {
    expect(() => toCells(parts, { number: 'x', [name]: 1 })).toThrow(`parts has no field "${name}"`);
    expect(() => toChanges(parts, { [name]: 1 })).toThrow(`parts has no field "${name}"`);
  });
});

describe('a catalogue', () => {
  test('is plain data: a copy of it that a thread was sent is equal to it', () => {
    const copy = structuredClone(catalogue);
    expect(copy).toEqual(catalogue);
    expect(copy[1]?.parent).toBe(copy[0]);
    expect(copy[0]?.key).toBe(copy[0]?.fields[0]);
  });

  test('knows its collections by name', () => {
    expect(collectionOf(catalogue, 'oils')).toBe(catalogue[1]);
    expect(() => collectionOf(catalogue, 'wheels')).toThrow('no collection "wheels"');
  });
});
