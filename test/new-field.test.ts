import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { flag, integer, text } from '../src/gateway/model/fields.ts';
import { loadLocales } from '../src/host/tables/load.ts';
import { openApp, type Send } from './support/app/app.ts';
import { carsWith } from './support/cars/catalogue.ts';
import { fileOf, filled } from './support/database/make-catalogue-file.ts';
import { editedLocales, type LooseTable, tableOf, tags } from './support/language/locale-folder.ts';
import { temporaryFolder } from './support/process/folder.ts';
import { project } from './support/process/service.ts';

/** Today's catalogue and one line for each kind of field. */
const grown = carsWith({
  colour: text({ max: 30, indexed: true }),
  seats: integer({ min: 1, max: 9 }),
  electric: flag(),
});

const currentWord = (name: string, tag: string): string => `${name}-${tag}`;
const addWords = (table: LooseTable, tag: string): void => {
  for (const name of ['colour', 'seats', 'electric']) table.fields.cars[name] = currentWord(name, tag);
};

const [seat] = filled.cars;

const openGrown = async (file: string): Promise<Send> => {
  const copy = join(temporaryFolder(), 'catalogue.db');
  copyFileSync(file, copy);
  const app = await openApp({ catalogue: grown, locales: editedLocales(addWords), database: `sqlite:${copy}` });
  onTestFinished(app.close);
  return app.send;
};

const languages = tags.map((tag) => {
  const { paths, fields, parameters } = tableOf(tag);
  return {
    tag,
    path: `/api/${encodeURIComponent(paths.cars)}`,
    key: String(fields.cars.identifier),
    sortBy: encodeURIComponent(parameters.sort_by),
    brand: String(fields.cars.brand),
    colour: currentWord('colour', tag),
    seats: currentWord('seats', tag),
    electric: currentWord('electric', tag),
  };
});

/** The oldest: every file opens by its own test. */
const file = fileOf(1, 'db');

describe('a catalogue with new fields opens a file of version 1', () => {
  test.each(languages)('and $tag knows them', async ({ path, key, sortBy, brand, colour, seats, electric }) => {
    const send = await openGrown(file);
    const address = `${path}/${seat.identifier}`;
    const before = await send('GET', address);
    expect(before.json).toMatchObject({ [key]: seat.identifier, [brand]: seat.brand });
    expect(before.json).not.toHaveProperty(colour);

    const changed = await send('PUT', address, { [electric]: true, [seats]: 5, [colour]: 'Añil' });
    expect(changed.status).toBe(200);
    expect(changed.text).toBe(`${before.text.slice(0, -1)},"${colour}":"Añil","${seats}":5,"${electric}":true}`);
    expect((await send('GET', address)).text).toBe(changed.text);

    const keysOf = async (query: string) =>
      (await send('GET', `${path}?${query}`)).json.map((car: Record<string, unknown>) => car[key]);
    for (const query of [`${colour}=anil`, `${seats}=5`, `${electric}=true`]) {
      expect(await keysOf(query)).toEqual([seat.identifier]);
    }
    for (const query of [`${colour}=red`, `${seats}=6`, `${electric}=false`]) expect(await keysOf(query)).toEqual([]);

    const [, last] = filled.cars;
    await send('PUT', `${path}/${encodeURIComponent(last.identifier)}`, {
      [colour]: 'zinc',
      [seats]: 2,
      [electric]: false,
    });
    const firstTwo = { [colour]: [seat, last], [seats]: [last, seat], [electric]: [last, seat] };
    for (const [word, expected] of Object.entries(firstTwo)) {
      const sorted = await keysOf(`${sortBy}=${word}`);
      expect(sorted).toHaveLength(filled.cars.length);
      expect(sorted.slice(0, 2)).toEqual(expected.map(({ identifier }) => identifier));
    }
  });
});

test.each(tags)('a word that %s lacks for a new field stops the start, naming file and key', (lacking) => {
  const folder = editedLocales((table, tag) => {
    addWords(table, tag);
    if (tag === lacking) delete table.fields.cars.colour;
  });
  expect(() => loadLocales(grown, folder, 'en')).toThrow(
    expect.objectContaining({ faults: [`${lacking}.json: fields.cars.colour: missing`] }),
  );
});

/** Those that are about the service's own catalogue: what it is served with, and what is made of it. `npm run soak -- new-field` adds a field to it. */
const OF_THE_SERVICE = [
  'documents.test.ts',
  'examples/mounted-below.test.ts',
  'examples/mounted.test.ts',
  'gateway/locale/tables/json-schema.test.ts',
  'gateway/texts/filled.test.ts',
  'host/tables/shipped.test.ts',
  'process.test.ts',
  'tools/commands/commands.test.ts',
  'tools/words/exchange.test.ts',
  'vocabularies/laws.test.ts',
  'vocabularies/node-server.test.ts',
  'vocabularies/oracle.test.ts',
];

test('no other test imports the service’s own catalogue or its tables, so that a new field is no business of theirs', () => {
  const own = /from '(?:\.\.\/)+(?:src\/catalogue\.ts|locales\/\w+\.json)'/;
  const importers = readdirSync(join(project, 'test'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .filter((file) => own.test(readFileSync(join(project, 'test', file), 'utf8')));
  expect(importers.sort()).toEqual(OF_THE_SERVICE);
});
