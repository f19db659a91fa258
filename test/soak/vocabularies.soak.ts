/** The memory of the translator: it does not grow with the length of an answer, nor with the number of requests. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { vocabularies } from '../../packages/vocabularies/src/index.ts';
import { document, es } from '../vocabularies/boats.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const MEGABYTE = 2 ** 20;
const ITEM = '{"name":"Aurora","kind":"sail","length":12.10,"owner":{"name":"Ñusta","boats":[]},"labels":{"a":"b"}}';
const encoder = new TextEncoder();

/** @returns an answer that makes its items as they are read */
function answer(count: number): Response {
  const some = `${ITEM},`.repeat(600);
  let left = count;
  const stream = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      if (left === count) controller.enqueue(encoder.encode('['));
      left -= 600;
      controller.enqueue(encoder.encode(left > 0 ? some : `${ITEM}]`));
      if (left <= 0) controller.close();
    },
  });
  return new Response(stream, { headers: { 'content-type': 'application/json' } });
}

async function measure(count: number): Promise<{ readonly length: number; readonly peak: number }> {
  const api = { fetch: () => answer(count) };
  const app = vocabularies(api, { document, tables: { es }, onNotice: () => {} });
  const { body } = await app.request('/barcos');
  collectGarbage();
  const before = process.memoryUsage().heapUsed + process.memoryUsage().external;
  let [length, peak] = [0, 0];
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    length += part.length;
    const { heapUsed, external } = process.memoryUsage();
    peak = Math.max(peak, heapUsed + external - before);
  }
  return { length, peak };
}

test('a million items take no more memory than 33,000', async () => {
  await measure(33_000);
  const [some, many] = [await measure(33_000), await measure(1_000_000)];
  const show = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
  console.log(
    `33,000: ${show(some.length)}, peak ${show(some.peak)}; a million: ${show(many.length)}, peak ${show(many.peak)}`,
  );
  expect(many.length).toBeGreaterThan(25 * some.length);
  expect(many.peak).toBeLessThan(some.peak + 64 * MEGABYTE);
});

test('200,000 requests leave nothing behind', async () => {
  const api = { fetch: () => new Response(ITEM, { headers: { 'content-type': 'application/json', etag: '"1"' } }) };
  const app = vocabularies(api, { document, tables: { es }, onNotice: () => {} });
  const ask = async (count: number) => {
    for (let at = 0; at < count; at++) await (await app.request(`/barcos/${at}`)).text();
    await new Promise((resolve) => setTimeout(resolve, 50));
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await ask(20_000);
  const after = await ask(200_000);
  console.log(`heap before ${(before / MEGABYTE).toFixed(1)} MB, after ${(after / MEGABYTE).toFixed(1)} MB`);
  expect(after - before).toBeLessThan(16 * MEGABYTE);
});
