// @ts-nocheck: it is run from a folder in which the packed package is installed
import { check } from './check.js';

// biome-ignore lint/style/noDefaultExport: workerd asks for it
export default {
  fetch: async () => new Response(`passed ${await check()}`),
};
