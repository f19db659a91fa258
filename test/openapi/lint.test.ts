import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { appFor } from '../support/app.ts';
import { type Document, documentsOf } from '../support/documents.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Rules without exceptions. */
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));
const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

const lint = async (documents: ReadonlyMap<string, Document>): Promise<{ code: number; output: string }> => {
  const folder = temporaryFolder();
  const files = [...documents].map(([tag, document]) => {
    const file = join(folder, `${tag}.json`);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
  const run = promisify(execFile)(process.execPath, [redocly, 'lint', '--config', config, ...files], {
    env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' },
  });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
};

const { app, close } = await appFor();
const documents = await documentsOf(app);
await close();

test('redocly finds nothing in any language’s document, by its strict rules', async () => {
  expect([...documents.keys()]).toEqual(['en', 'es']);
  const { code, output } = await lint(documents);
  expect([output, code]).toEqual([expect.stringContaining('es.json: validated'), 0]);
});

test('and would find a fault', async () => {
  const spoiled = structuredClone(documents.get('es'));
  spoiled.paths['/api/coches'].get.tags = ['Camiones'];
  delete spoiled.paths['/api/coches'].post.operationId;
  const { code, output } = await lint(new Map([['es', spoiled]]));
  expect(code).toBe(1);
  expect(output).toContain('operation-operationId');
});
