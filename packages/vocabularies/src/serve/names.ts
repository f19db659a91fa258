/** What of a document may have a word. */
import { asArray, type Document, placeWithin } from '../document.ts';
import { scopeName, type Vocabulary } from '../nodes.ts';
import type { Route } from '../paths.ts';
import { asObject, valueAt } from '../words.ts';

/** A name that may have a word. */
export interface Name {
  readonly section: 'paths' | 'parameters' | 'members' | 'values';
  /** The schema of a member or value. */
  readonly scope?: string;
  readonly name: string;
  /** Nothing if the name stands for itself. */
  readonly word: string | undefined;
  readonly description?: string | undefined;
  readonly example?: unknown;
}

/** @returns every name of a document once for each of its words, as the operations come to it */
export function listNames(document: Document, routes: readonly Route[], vocabulary: Vocabulary): readonly Name[] {
  const names = new Map<string, Name>();
  for (const name of readNames(document, routes, vocabulary)) {
    const word = name.word === name.name ? undefined : name.word;
    const key = placeWithin(name.section, name.scope ?? '', name.name, word ?? '');
    if (!names.has(key)) names.set(key, { ...name, word });
  }
  return [...names.values()];
}

function* readNames(document: Document, routes: readonly Route[], { words, bySchema }: Vocabulary): Iterable<Name> {
  for (const { segments, template } of routes) {
    for (const { text: name, isWord } of segments) {
      if (isWord && name !== '') yield { section: 'paths', name, word: words.findPath(name)?.word, example: template };
    }
  }
  for (const operation of document.operations) {
    for (const { name, in: location, schema, source } of operation.parameters) {
      if (location === 'header') continue;
      const word = words.findParameter(operation, name)?.word;
      yield { section: 'parameters', name, word, ...describe({ ...schema, ...source }) };
    }
  }
  for (const [schema, nodes] of bySchema) {
    const scope = scopeName(document.findPlace(schema));
    const discriminator = valueAt(schema.discriminator, 'propertyName');
    const undeclared = typeof discriminator === 'string' ? { [discriminator]: {} } : {};
    for (const [name, part] of Object.entries({ ...undeclared, ...asObject(schema.properties) })) {
      const own = asObject(part);
      const word = nodes[0]?.members.out.get(name)?.to;
      yield { section: 'members', scope, name, word, ...describe({ ...document.resolve(own), ...own }) };
    }
    for (const name of [...asArray(schema.enum), schema.const]) {
      // A place that other schemas describe, too, may have fewer values.
      const term = nodes.map(({ values }) => values.out.get(String(name))).find((other) => other !== undefined);
      const { description } = describe(schema);
      if (typeof name === 'string' && term) yield { section: 'values', scope, name, word: term.to, description };
    }
  }
}

function describe({ description, examples, example, enum: values, default: usual }: Readonly<Record<string, unknown>>) {
  const text = typeof description === 'string' ? description.replaceAll(/\s+/g, ' ').trim() : undefined;
  return { description: text, example: example ?? asArray(examples)[0] ?? usual ?? asArray(values)[0] };
}
