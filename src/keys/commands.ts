import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '../access/key.ts';
import type { KeyStore, StoredKey } from '../store/port.ts';
import { Unavailable } from '../store/unavailable.ts';
import type { Command } from './options.ts';

/** What a command prints. */
export interface Printed {
  readonly output: string;
  /** For the person who has typed it. */
  readonly notes: string;
  readonly isDone: boolean;
}

const done = (output: string, notes = ''): Printed => ({ output, notes, isDone: true });

/** Tries, and milliseconds between them: a service that writes to the same file holds its lock for some milliseconds at a time. */
const TRIES = 50;
const PAUSE = 100;

const patiently = async <T>(work: () => T | Promise<T>, tries = TRIES): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Unavailable) || tries === 1) throw error;
    await sleep(PAUSE);
    return patiently(work, tries - 1);
  }
};

const dateOf = (time: number | undefined): string =>
  time === undefined ? '-' : new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

const COLUMNS: readonly (readonly [heading: string, of: (key: StoredKey) => string])[] = [
  ['id', ({ id }) => id],
  ['scopes', ({ scopes }) => scopes.join(',')],
  ['created', ({ created }) => dateOf(created)],
  ['expires', ({ expires }) => dateOf(expires)],
  ['name', ({ name }) => name],
];

const tableOf = (keys: readonly StoredKey[]): string => {
  const rows = [COLUMNS.map(([heading]) => heading), ...keys.map((key) => COLUMNS.map(([, of]) => of(key)))];
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]): string => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
};

/** Carries out what was typed. */
export const carryOut = async (command: Command, keys: KeyStore): Promise<Printed> => {
  if (command.kind === 'list') return done(tableOf(await keys.all()));
  if (command.kind === 'create') {
    const { kind: _, ...wanted } = command;
    const { key, stored } = makeKey({ ...wanted, created: Date.now() });
    await patiently(() => keys.add(stored));
    return done(`${key}\n`, `${stored.id} (${stored.name}): the key is shown this once only\n`);
  }
  const isDone = await patiently(() => keys.remove(command.id));
  const { id } = command;
  return { output: isDone ? `${id} is revoked\n` : '', notes: isDone ? '' : `no key has the id "${id}"\n`, isDone };
};
