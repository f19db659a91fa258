import { hash, timingSafeEqual } from 'node:crypto';
import { customAlphabet } from 'nanoid';
import type { Scope } from '../../gateway/model/access.ts';
import type { StoredApiKey } from '../../store/clients.ts';

/** A key is `cardealer_<id>_<secret>`, so that scanners of source code and logs recognise it. */
const KEY = /^cardealer_([0-9A-Za-z]{10})_[0-9A-Za-z]{32}$/;

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** @returns what identifies a key, or a hook, to people */
export const newId = customAlphabet(LETTERS, 10);
/** A secret has 190 bits, too many to guess: a fast hash is enough. */
const newSecret = customAlphabet(LETTERS, 32);

const hashOf = (key: string): Buffer => hash('sha256', key, 'buffer');

/** @returns the public part of a key; `undefined` where the text is not a key */
export const keyIdIn = (text: string): string | undefined => KEY.exec(text)?.[1];

/** @returns whether a text has the form of a key */
export const isKey = (text: string): boolean => KEY.test(text);

/** A key to be made. Times are milliseconds since 1970. */
export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly created: number;
  readonly expires: number | undefined;
}

/** @returns a key, and the record of it that is stored */
export const makeKey = (wanted: NewKey): { readonly key: string; readonly stored: StoredApiKey } => {
  const id = newId();
  const key = `cardealer_${id}_${newSecret()}`;
  return { key, stored: { id, hash: hashOf(key).toString('hex'), ...wanted } };
};

/** @returns whether a key has this stored hash, compared in constant time */
export const matchesHash = (stored: Buffer, key: string): boolean => {
  const own = hashOf(key);
  return stored.length === own.length && timingSafeEqual(stored, own);
};
