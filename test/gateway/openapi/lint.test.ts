import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Documents } from '../../support/documents/documents.ts';
import { servedDocuments } from '../../support/documents/served.ts';
import { folderOf, tableOf } from '../../support/language/locale-folder.ts';
import { allTags, temporaryFolderWith } from '../../support/language/new-languages.ts';
import { temporaryFolder } from '../../support/process/folder.ts';

/** Strict rules; the one exception is explained there. */
const config = fileURLToPath(new URL('redocly.yaml', import.meta.url));
const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js');

/** A problem that redocly tells with `--format json`. */
interface Fault {
  readonly ruleId: string;
  readonly location: readonly { readonly source: { readonly ref: string } }[];
}

/** @returns the rules that each document breaks, by its name; all of them are linted by one process */
const lint = async (documents: Documents): Promise<ReadonlyMap<string, readonly string[]>> => {
  const folder = temporaryFolder();
  const files = [...documents].map(([tag, document]) => {
    const file = join(folder, `${tag}.json`);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
  const args = [redocly, 'lint', '--config', config, '--format', 'json', ...files];
  const env = {
    PATH: process.env.PATH,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NO_COLOR: '1',
  };
  const run = promisify(execFile)(process.execPath, args, { env, maxBuffer: 16_777_216 });
  const { stdout, stderr } = await run.catch((error: { readonly stdout: string; readonly stderr: string }) => error);
  // Who was not looked at has no faults either.
  for (const file of files) expect(stderr).toContain(`${basename(file)}: validated`);
  // One text for each file.
  const texts = stdout.split(/(?<=^\})/m).filter((text) => text.trim() !== '');
  const problems = texts.flatMap((text): readonly Fault[] => JSON.parse(text).problems);
  const nameOf = ({ location: [place] }: Fault): string => basename(place?.source.ref ?? '', '.json');
  return new Map([...Map.groupBy(problems, nameOf)].map(([name, found]) => [name, found.map(({ ruleId }) => ruleId)]));
};

test('redocly finds nothing in any language’s document, by its strict rules, whatever languages there are, or one; it would find a fault', async () => {
  const documents = await servedDocuments({ locales: temporaryFolderWith(...allTags) });
  expect([...documents.keys()].toSorted()).toEqual(allTags);
  const [alone] = (await servedDocuments({ locales: folderOf({ 'en.json': tableOf('en') }) })).values();
  const spoiled = structuredClone((await servedDocuments()).get('es'));
  spoiled.paths['/api/coches'].get.tags = ['Camiones'];
  delete spoiled.paths['/api/coches'].post.operationId;
  const found = await lint(new Map([...documents, ['alone', alone], ['spoiled', spoiled]]));
  expect([...found.keys()]).toEqual(['spoiled']);
  expect(found.get('spoiled')).toContain('operation-operationId');
});
