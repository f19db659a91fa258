import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

/** Keeps what cleans up until it is due: by default the end of a test; what tests share is cleaned up after the last of them. */
export type WhenOver = (cleanUp: () => void) => void;

/** @returns a new empty folder, removed when the test that asked for it is over */
export const temporaryFolder = (whenOver: WhenOver = onTestFinished): string => {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Opens what the tests of the file, or the `describe`, that this is called in use one after the other. @returns it, during tests */
export const shared = <T>(open: (whenOver: WhenOver) => Promise<T>): (() => T) => {
  let opened: { readonly value: T } | undefined;
  const cleanUps: (() => unknown)[] = [];
  beforeAll(async () => {
    opened = { value: await open((cleanUp) => void cleanUps.push(cleanUp)) };
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });
  return () => {
    if (!opened) throw new TypeError('it is open during tests only');
    return opened.value;
  };
};
