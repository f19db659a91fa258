// Loaded before everything else, in plain JavaScript that every Node.js with modules can read: an older one would only
// show a stack trace about the first TypeScript file.
import { readdirSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = '24.15.0';

/** @param {string} version */
const numbers = (version) => version.split('.').map(Number);

/** @param {string} version */
const isOld = (version) => {
  const [major = 0, minor = 0] = numbers(version);
  const [neededMajor = 0, neededMinor = 0] = numbers(NEEDED);
  return major < neededMajor || (major === neededMajor && minor < neededMinor);
};

const found = process.versions.node;
if (isOld(found)) {
  const folder = new URL('../locales/messages/', import.meta.url);
  for (const file of readdirSync(folder)) {
    if (!/^[a-z]{2,3}(-[A-Za-z0-9]+)*\.json$/.test(file)) continue;
    const { phrases } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    console.error(phrases['node-too-old'].replace('{needed}', NEEDED).replace('{found}', found));
  }
  process.exit(1);
}

// The service reads files by threads, whose memory is to go back to the system when they end. V8 and the C library look at
// these only as a process begins, so it begins again, with the same number. Other versions of V8 may not know the option.
const OPTION = '--no-memory-pool-share-memory-on-teardown';
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' };
const isService = process.argv[1] === fileURLToPath(new URL('main.ts', import.meta.url));
if (isService && found.startsWith('26.') && process.execve && !process.execArgv.includes(OPTION)) {
  const line = [process.execPath, OPTION, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, line, { ...MALLOC, ...process.env });
}

// From the second start on nothing is stripped of its types or compiled again: half the time, and 30 MiB less. Where the
// folder cannot be written, every start is like the first.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));
