import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../process/folder.ts';

interface SmallDisk {
  readonly folder: string;
  readonly setWritable: (isWritable: boolean) => void;
}

const quietly = (command: string, args: readonly string[]): void => {
  execFileSync(command, args, { stdio: 'ignore' });
};

/** @returns a disk in memory, gone when the test is over; `undefined` where this machine lets nobody make one */
export const smallDisk = (size: string): SmallDisk | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = temporaryFolder();
  try {
    quietly('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  } catch {
    return undefined;
  }
  // Lazily, so that a file left open by a test that failed does not keep it.
  onTestFinished(() => quietly('umount', ['-l', folder]));
  return {
    folder,
    setWritable: (isWritable) => quietly('mount', ['-o', `remount,${isWritable ? 'rw' : 'ro'}`, folder]),
  };
};
