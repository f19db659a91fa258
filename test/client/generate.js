// Makes a client of each document by each generator, one after the other in one process, because they share most of what
// they load: `node generate.js <folder> <tag>…`, where the folder has `<tag>.json`.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { generateApi } from 'swagger-typescript-api';
import ts from 'typescript';

/** Formats of files besides CSV: orval has one type for all formats of an operation, and takes NDJSON for a stream. */
const OTHER_FILES = ['application/x-ndjson', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'];

/** By itself openapi-typescript has texts for bytes. */
const bytes = ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined);

const [folder = '', ...tags] = process.argv.slice(2);
const at = (name) => resolve(folder, name);

for (const tag of tags) {
  const document = at(`${tag}.json`);
  await writeFile(at(`${tag}.ts`), astToString(await openapiTypes(pathToFileURL(document), { transform: bytes })));
  await createClient({
    input: document,
    output: at(`hey-api-${tag}`),
    plugins: ['@hey-api/client-fetch'],
    logs: { level: 'silent' },
  });
  await generateApi({
    input: document,
    output: resolve(folder),
    fileName: `swagger-typescript-api-${tag}.ts`,
    silent: true,
  });
  const output = {
    urlEncodeParameters: true,
    override: { contentType: { exclude: OTHER_FILES } },
    baseUrl: { runtime: 'origin.url', imports: [{ name: 'origin', importPath: '../origin.ts' }] },
  };
  for (const client of ['fetch', 'zod']) {
    const target = at(`orval-${tag}-${client}.ts`);
    await generate({ input: { target: document }, output: { ...output, target, client } });
  }
}
