import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Config } from './config.ts';

/** @returns makes the keys of items that are created without one */
export const keyAssigner = (identifiers: Config['IDENTIFIERS']): (() => string) =>
  identifiers === 'uuid' ? randomUUID : () => nanoid();
