/** What the documentation fills in can be sent as it is: it damages nothing and cuts nothing. */
import { expect, test } from 'vitest';
import { displayed } from '../../../src/gateway/site/pages/browser/display.js';
import { useApp } from '../../support/app/app.ts';
import type { Document } from '../../support/documents/documents.ts';

const { send } = useApp();

test('of the page', async () => {
  const { json } = await send('GET', '/api/openapi.es.json');
  const { paths } = displayed(structuredClone(json), '');
  const operations = Object.values<Document>(paths).flatMap((item) => Object.values<Document>(item));
  const ending = (name: string) => operations.filter(({ operationId }) => operationId.endsWith(name));
  for (const { parameters } of ending('Export'))
    expect(parameters.filter((each: Document) => each.in === 'query' && each.example !== undefined)).toEqual([]);
  for (const { parameters } of ending('Import'))
    expect(parameters.find(({ name }: Document) => name === 'Prefer').example).toBe('handling=check');
  for (const { parameters } of ending('Remove'))
    expect(parameters.filter((each: Document) => each.example !== undefined)).toEqual([]);
  const changes = [...ending('Update'), ...ending('Patch')];
  expect(changes).toHaveLength(4);
  for (const { requestBody } of changes)
    for (const { examples } of Object.values<Document>(requestBody.content)) {
      const [first, ...others] = Object.values<{ value: object }>(examples);
      expect(first?.value).toEqual({});
      expect(others.length).toBeGreaterThan(0);
      for (const { value } of others) expect(Object.keys(value)).toHaveLength(1);
    }
});

test('of the document, which programs read, changes have one field, and a file is checked', async () => {
  const { json } = await send('GET', '/api/openapi.en.json');
  const { put, patch } = json.paths['/api/cars/{identifier}'];
  for (const { requestBody } of [put, patch])
    for (const { value } of Object.values<Document>(requestBody.content['application/json'].examples))
      expect(Object.keys(value)).toHaveLength(1);
  expect(json.components.parameters.Prefer.schema.examples).toEqual(['handling=check']);
});
