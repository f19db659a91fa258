/** The project's tables without the words of what the catalogue of the tests lacks. */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { subresourceNames } from '../../../src/gateway/model/query.ts';
import type { LooseTable } from '../language/locale-folder.ts';
import { catalogue } from './catalogue.ts';

type Words = Record<string, unknown>;

const own = fileURLToPath(new URL('../../../locales', import.meta.url));
export const tablesOfTests: string = fileURLToPath(new URL('locales', import.meta.url));

const keep = (part: Words | undefined, names: readonly string[]): void => {
  for (const name of Object.keys(part ?? {})) if (!names.includes(name)) delete part?.[name];
};

/** @returns a table without the words of collections and fields that the tests' catalogue lacks */
export const narrow = (table: LooseTable): LooseTable => {
  const { paths, fields, nouns, synonyms = {}, pages = {}, descriptions = {}, equivalents, units } = table;
  const collections = catalogue.map(({ name }) => name);
  delete table.choices;
  for (const part of [paths, synonyms.paths]) keep(part, [...collections, ...subresourceNames]);
  for (const part of [
    fields,
    nouns,
    synonyms.fields,
    pages.totals,
    descriptions.collections,
    descriptions.fields,
    equivalents,
    units,
  ])
    keep(part, collections);
  for (const { name, fields: known } of catalogue)
    for (const part of [fields, synonyms.fields, descriptions.fields, equivalents, units])
      keep(
        part?.[name],
        known.map((field) => field.name),
      );
  return table;
};

/** Writes them, before any test reads them. */
export const writeTables = (): void => {
  for (const folder of ['', 'messages']) {
    mkdirSync(join(tablesOfTests, folder), { recursive: true });
    for (const file of readdirSync(join(own, folder)).filter((name) => /^[a-z]{2}\.json$/.test(name))) {
      const written = join(tablesOfTests, folder, file);
      const table = JSON.parse(readFileSync(join(own, folder, file), 'utf8'));
      writeFileSync(`${written}.new`, JSON.stringify(narrow(table)));
      renameSync(`${written}.new`, written);
    }
  }
};
