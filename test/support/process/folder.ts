import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Keeps what cleans up until it is due: by default the end of a test; what tests share is cleaned up after the last of them. */
export type WhenOver = (cleanUp: () => void) => void;

/** @returns a new empty folder, removed when the test that asked for it is over */
export const temporaryFolder = (whenOver: WhenOver = onTestFinished): string => {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  whenOver(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
