import { describe, expect, test } from 'vitest';
import { findCollection } from '../../../src/gateway/model/catalogue.ts';
import { catalogue } from '../../support/cars/catalogue.ts';

describe('a catalogue', () => {
  test('is plain data: a copy of it that a thread was sent is equal to it', () => {
    const copy = structuredClone(catalogue);
    expect(copy).toEqual(catalogue);
    expect(copy[1]?.parent).toBe(copy[0]);
    expect(copy[0]?.key).toBe(copy[0]?.fields[0]);
  });

  test('knows its collections by name', () => {
    expect(findCollection(catalogue, 'oils')).toBe(catalogue[1]);
    expect(() => findCollection(catalogue, 'wheels')).toThrow('no collection "wheels"');
  });
});
