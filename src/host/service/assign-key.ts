import { randomUUID } from 'node:crypto';
import { nanoid } from 'nanoid';
import type { Config } from '../settings/config.ts';

/** @returns a function that makes keys for items created without one */
export const keyAssigner = (identifiers: Config['IDENTIFIERS']): (() => string) =>
  identifiers === 'uuid' ? randomUUID : () => nanoid();
