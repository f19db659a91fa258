/** The process. What it runs is loaded after the cache of compiled code is on. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// From the second start on nothing is stripped of its types or compiled again: half the time, and 30 MiB less. If the folder
// cannot be written, every start is like the first. Threads look at the variable.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
enableCompileCache(process.env.NODE_COMPILE_CACHE);
const [{ catalogue }, { runService }] = await Promise.all([import('./catalogue.ts'), import('./host/service/run.ts')]);
await runService(catalogue);
// Now, because a process that is killed would never write it.
flushCompileCache();
