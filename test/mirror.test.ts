/** The mirrors in the documents, as they stand there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from './support/app/server.ts';
import { temporaryFolder } from './support/process/folder.ts';
import { project } from './support/process/service.ts';

test.each([
  ['docs/changes.md', '/api/cars', ['identifier', 'brand', 'model']],
  ['docs/changes.es.md', '/api/coches', ['identificador', 'marca', 'modelo']],
] as const)('the mirror of %s equals the list', async (document, list, [key, brand, model]) => {
  const { origin, close } = await openServer();
  onTestFinished(close);
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(origin + path, {
      method,
      ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
    });
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(join(project, document), 'utf8')) ?? [];
  expect(code).toContain('http://localhost:3000');
  const file = join(temporaryFolder(), 'mirror.ts');
  writeFileSync(file, code.replace('http://localhost:3000', origin));
  const { follow } = await import(file);
  const expectEqual = async () =>
    expect([...(await follow()).values()]).toEqual(await (await send('GET', list)).json());

  const cars = Array.from({ length: 600 }, (_, at) => ({ [key]: `k${at}`, [brand]: 'Seat', [model]: 'León' }));
  expect((await send('POST', list, cars)).status).toBe(200);
  await expectEqual();
  await send('DELETE', `${list}/k1`);
  await send('POST', list, { [key]: 'n', [brand]: 'Audi', [model]: 'A3' });
  await expectEqual();
});
