// @ts-nocheck: it is run from a folder in which the packed package is installed
import { Miniflare } from 'miniflare';

const worker = new Miniflare({ modules: true, scriptPath: 'bundle.js', compatibilityDate: '2026-01-01' });
console.log(await (await worker.dispatchFetch('http://localhost/')).text());
await worker.dispose();
