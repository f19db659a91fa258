/** The JSON Schema of a table for one document, so that an editor completes the names that have no word yet. */
import { Document, type Json } from './document.ts';
import { readRoutes } from './paths.ts';
import { type Shape, Shapes, scopeName } from './shapes.ts';

const WORD = { type: 'string', minLength: 1 };

function describe(names: Iterable<string>, schema: Json = WORD): Json {
  return { type: 'object', properties: Object.fromEntries([...new Set(names)].map((name) => [name, schema])) };
}

/** @returns a schema that lists the names of a document in the sections of a table */
export function createTableSchema(content: unknown): Json {
  const document = new Document(content);
  const shapes = new Shapes(document);
  for (const { parameters, body, answers } of document.operations) {
    const contents = [...body.values(), ...[...answers.values()].flatMap((answer) => [...answer.contents.values()])];
    const schemas = [...parameters, ...contents].flatMap(({ schema }) => schema ?? []);
    for (const placed of [...schemas, ...contents.flatMap(({ item }) => item ?? [])]) shapes.of([placed]);
  }
  const byScope = (read: (shape: Shape) => Iterable<string>): Json => {
    const named = shapes.all.flatMap((shape) => {
      const names = [...read(shape)];
      return names.length > 0 ? [[scopeName(shape.place), describe(names)] as const] : [];
    });
    const all = describe(shapes.all.flatMap((shape) => [...read(shape)]));
    return { type: 'object', properties: { '*': all, ...Object.fromEntries(named) } };
  };
  const segments = readRoutes(document).flatMap((route) => route.segments);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      paths: describe(segments.flatMap(({ text, isWord }) => (isWord ? text : []))),
      parameters: describe(document.operations.flatMap(({ parameters }) => parameters.map(({ name }) => name))),
      members: byScope(({ members }) => members.keys()),
      values: byScope(({ choices }) => choices.keys()),
    },
  };
}
