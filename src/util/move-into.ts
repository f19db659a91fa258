import { closeSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';

function sync(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Renames a file that no process has open. Whatever happens meanwhile, the old file or the new one is there, complete. */
export function moveInto(part: string, file: string): void {
  sync(part, 'r+');
  renameSync(part, file);
  try {
    sync(dirname(file), 'r');
  } catch {
    // Windows cannot flush a folder.
  }
}
