/** The JSON Schema of a table for one document, so that an editor completes the names that have no word yet. */
import { Document } from './document.ts';
import { scopeName, type Terms, Vocabulary } from './nodes.ts';
import { readRoutes } from './paths.ts';
import { Words } from './table.ts';
import type { Json } from './words.ts';

function describe(names: Iterable<string>, schema: Json = { type: 'string', minLength: 1 }): Json {
  return { type: 'object', properties: Object.fromEntries([...new Set(names)].map((name) => [name, schema])) };
}

/** @returns a schema that lists the names of a document in the sections of a table */
export function createTableSchema(content: unknown): Json {
  const document = new Document(content);
  const routes = readRoutes(document);
  const words = new Words('', {});
  const { nodes } = new Vocabulary(words, [words], document, routes);
  const describeScopes = (section: 'members' | 'values'): Json => {
    const listed = (terms: Terms): readonly string[] => [...terms.out.keys()];
    const owners = nodes.filter((node) => node[section].out.size > 0);
    const scopes = owners.map((node) => [scopeName(node.place), describe(listed(node[section]))] as const);
    const all = describe(owners.flatMap((node) => listed(node[section])));
    return { type: 'object', properties: { '*': all, ...Object.fromEntries(scopes) } };
  };
  const segments = routes.flatMap((route) => route.segments.filter(({ isWord }) => isWord));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      paths: describe(segments.map(({ text }) => text)),
      parameters: describe(document.operations.flatMap(({ parameters }) => parameters.map(({ name }) => name))),
      members: describeScopes('members'),
      values: describeScopes('values'),
    },
  };
}
