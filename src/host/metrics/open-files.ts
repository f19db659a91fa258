import { readFileSync } from 'node:fs';

/** @returns how many files a process may have open; `undefined` where the system does not report it as Linux does */
export const mostOpenFiles = (): number | undefined => {
  try {
    const most = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
    return most > 0 ? most : undefined;
  } catch {
    return undefined;
  }
};
