/** The mirrors in the documents, as they stand there. */
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { openServer } from './support/app/server.ts';
import { temporaryFolder } from './support/process/folder.ts';
import { project, sendTo } from './support/process/service.ts';

test.each([
  ['docs/changes.md', '/api/cars', ['identifier', 'brand', 'model']],
  ['docs/es/changes.md', '/api/coches', ['identificador', 'marca', 'modelo']],
] as const)('the mirror of %s equals the list', async (document, list, [key, brand, model]) => {
  const { origin, close } = await openServer();
  onTestFinished(close);
  const send = sendTo(origin);
  const codeIn = (language: string): string => {
    const blocks = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(
      readFileSync(join(project, document), 'utf8'),
    );
    const code = blocks?.[1] ?? '';
    expect(code).toContain('http://localhost:3000');
    return code.replace('http://localhost:3000', origin);
  };
  const file = join(temporaryFolder(), 'mirror.ts');
  writeFileSync(file, codeIn('ts'));
  const { follow } = await import(file);
  // Follows once for each line that it reads.
  const program = `${codeIn('python')}\nimport sys\nfor _ in sys.stdin:\n    print(json.dumps(list(follow().values())), flush=True)`;
  const python = spawn('python3', ['-u', '-c', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void python.kill());
  const printed = createInterface({ input: python.stdout })[Symbol.asyncIterator]();
  const followPython = async (): Promise<unknown> => {
    python.stdin.write('\n');
    return JSON.parse((await printed.next()).value ?? '');
  };
  const expectEqual = async () => {
    const items = await (await send('GET', list)).json();
    expect([...(await follow()).values()]).toEqual(items);
    expect(await followPython()).toEqual(items);
  };

  const cars = Array.from({ length: 600 }, (_, at) => ({ [key]: `k${at}`, [brand]: 'Seat', [model]: 'León' }));
  expect((await send('POST', list, cars)).status).toBe(200);
  await expectEqual();
  await send('DELETE', `${list}/k1`);
  await send('POST', list, { [key]: 'n', [brand]: 'Audi', [model]: 'A3' });
  await expectEqual();
});
