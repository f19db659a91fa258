import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Documents } from '../support/documents/documents.ts';
import { servedDocuments } from '../support/documents/served.ts';
import { folderOf, tableOf } from '../support/language/locale-folder.ts';
import { allTags, temporaryFolderWith } from '../support/language/new-languages.ts';
import { temporaryFolder } from '../support/process/folder.ts';

/** Strict rules; the one exception is explained there. */
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));
const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

const lint = async (documents: Documents): Promise<{ code: number; output: string }> => {
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

test('redocly finds nothing in any language’s document, by its strict rules, whatever languages there are, or one', async () => {
  const documents = await servedDocuments({ locales: temporaryFolderWith(...allTags) });
  expect([...documents.keys()].toSorted()).toEqual(allTags);
  const [alone] = (await servedDocuments({ locales: folderOf({ 'en.json': tableOf('en') }) })).values();
  const { code, output } = await lint(new Map([...documents, ['alone', alone]]));
  expect([output, code]).toEqual([expect.stringContaining('pt.json: validated'), 0]);
  expect(output).toContain('alone.json: validated');
});

test('and would find a fault', async () => {
  const spoiled = structuredClone((await servedDocuments()).get('es'));
  spoiled.paths['/api/coches'].get.tags = ['Camiones'];
  delete spoiled.paths['/api/coches'].post.operationId;
  const { code, output } = await lint(new Map([['es', spoiled]]));
  expect(code).toBe(1);
  expect(output).toContain('operation-operationId');
});
