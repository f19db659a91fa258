/** The words that a vocabulary knows are told in the words of each language, and others are still allowed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApp, type Send } from '../../support/app/app.ts';
import { everyKind, everyKindTables } from '../../support/language/every-kind.ts';

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly examples?: unknown; readonly enum?: unknown }>>;
}

let send: Send;
beforeAll(async () => {
  const app = await openApp({ catalogue: everyKind, locales: everyKindTables(afterAll) });
  afterAll(app.close);
  send = app.send;
});

test.each([
  ['en', '/api/boats', 'hull', { wood: 'wood', steel: 'steel' }],
  ['es', '/api/barcos', 'casco', { wood: 'madera', steel: 'acero' }],
])('%s', async (tag, path, word, known) => {
  const words = Object.values(known);
  const { hull } = (await send('GET', `/api/locales/${tag}`)).json.collections.boats.fields;
  expect([hull.word, hull.choices, hull.schema.examples]).toEqual([word, known, words]);

  const { paths, components } = (await send('GET', `/api/openapi.${tag}.json`)).json;
  const members = Object.values<Schema>(components.schemas).flatMap(({ properties }) => properties?.[word] ?? []);
  expect(members).toHaveLength(6);
  for (const { examples, enum: closed } of members)
    expect([examples, closed]).toEqual([[...words, 'Kevlar'], undefined]);
  const { schema } = paths[path].get.parameters
    .map((each: { $ref?: string }) => components.parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each)
    .find(({ name }: { name: string }) => name === word);
  expect([schema.items.examples, schema.items.enum]).toEqual([words, undefined]);
});
