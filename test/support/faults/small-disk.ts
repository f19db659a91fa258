import { execFileSync } from 'node:child_process';
import { onTestFinished, type TestContext } from 'vitest';
import { temporaryFolder } from '../process/folder.ts';

interface SmallDisk {
  readonly folder: string;
  readonly setWritable: (isWritable: boolean) => void;
}

const quietly = (command: string, args: readonly string[]): void => {
  execFileSync(command, args, { stdio: 'ignore' });
};

/** @returns a disk in memory, gone when the test is over, which is skipped where this machine lets nobody make one */
export const smallDisk = ({ skip }: Pick<TestContext, 'skip'>, size: string): SmallDisk => {
  const none = 'only root on Linux, with leave to mount, can make a disk so small';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return skip(none);
  const folder = temporaryFolder();
  try {
    quietly('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder]);
  } catch {
    return skip(none);
  }
  // Lazily, so that a file left open by a test that failed does not keep it.
  onTestFinished(() => quietly('umount', ['-l', folder]));
  return {
    folder,
    setWritable: (isWritable) => quietly('mount', ['-o', `remount,${isWritable ? 'rw' : 'ro'}`, folder]),
  };
};
