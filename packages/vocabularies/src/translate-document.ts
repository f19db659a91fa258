/** Writes an OpenAPI document in the words of a table, and lists the addresses that its vocabularies add. */
import { asArray, type Operation, type Parameter, placeWithin, readPointer } from './document.ts';
import type { Node, Vocabulary } from './nodes.ts';
import { writeTemplate } from './paths.ts';
import { scanWhole } from './scan.ts';
import { type Context, exchangePath, exchangeText } from './texts.ts';
import { Translator } from './translator.ts';
import { asObject, isObject, type Json, valueAt } from './words.ts';

/** @returns the document in the words of a table; `operationId`s, names of components and sentences stay */
export function translateDocument(document: unknown, table: unknown, tag = 'words'): Json {
  const translator = new Translator({ document, tables: { [tag]: table }, select: 'prefix' });
  return new DocumentWriter(translator, translator.vocabularies.get(tag) as Vocabulary).write();
}

/** An address under which an operation can be reached. */
export interface Address {
  readonly operation: string;
  readonly method: string;
  /** Tag of the vocabulary; empty for the document's own names. */
  readonly vocabulary: string;
  readonly path: string;
}

/** @returns every address of every operation, in the document's own names and in each vocabulary's words */
export function addressesOf(document: unknown, tables: Readonly<Record<string, unknown>>): readonly Address[] {
  const { routes, vocabularies } = new Translator({ document, tables, select: 'prefix' });
  const all = [undefined, ...vocabularies.values()];
  return routes.flatMap((route) =>
    [...route.path.operations.values()].flatMap(({ id, method }) =>
      all.map((vocabulary) => {
        const path = writeTemplate(route, vocabulary?.words, (name) => `{${name}}`);
        return { operation: id, method, vocabulary: vocabulary?.tag ?? '', path };
      }),
    ),
  );
}

type Write = (value: unknown, name: string) => unknown;

class DocumentWriter {
  readonly #translator: Translator;
  readonly #vocabulary: Vocabulary;
  readonly #context: Context;
  /** Parameters, and operations, by their places; a parameter that several operations refer to is that of the first. */
  readonly #parameters = new Map<string, readonly [Operation, Parameter]>();
  readonly #operations = new Map<string, Operation>();
  /** What examples are of that are referred to. */
  readonly #examples = new Map<string, Node | undefined>();

  constructor(translator: Translator, vocabulary: Vocabulary) {
    this.#translator = translator;
    this.#vocabulary = vocabulary;
    this.#context = { vocabulary, direction: 'out' };
    for (const operation of translator.document.operations) {
      this.#operations.set(operation.place, operation);
      for (const parameter of operation.parameters) {
        if (!this.#parameters.has(parameter.place)) this.#parameters.set(parameter.place, [operation, parameter]);
      }
    }
  }

  write(): Json {
    const { content } = this.#translator.document;
    for (const [name, schema] of Object.entries(asObject(valueAt(content, 'components', 'schemas')))) {
      if (isObject(schema)) this.#vocabulary.compile([{ schema, place: placeWithin('#/components/schemas', name) }]);
    }
    // References to examples are read before these.
    const paths = this.#write(content.paths, '#/paths');
    return mapEntries(content, (value, name) =>
      name === 'components' ? this.#write(value, '#/components') : name === 'paths' ? paths : value,
    );
  }

  /** Writes any part of a document, by its place. */
  #write(value: unknown, place: string, operation?: Operation): unknown {
    if (Array.isArray(value)) return value.map((each, at) => this.#write(each, placeWithin(place, at), operation));
    if (!isObject(value)) return value;
    const inside = this.#operations.get(place) ?? operation;
    const writeEach: Write = (each, name) => this.#write(each, placeWithin(place, name), inside);
    const node = this.#vocabulary.bySchema.get(value);
    if (node) return this.#writeSchema(value, node, writeEach);
    if (place === '#/paths') return mapEntries(value, writeEach, (name) => this.#writePath(name));
    const [user, parameter] = this.#parameters.get(place) ?? [];
    const described = parameter ? this.#vocabulary.compileParameter(parameter) : this.#findNode(value, place);
    return mapEntries(value, (each, name) => {
      if (name === 'name' && user && parameter && parameter.in !== 'header')
        return this.#writeParameter(user, parameter.name);
      if (name === 'schema' && parameter && described)
        return this.#writeSchema(each, described, (part, key) =>
          this.#write(part, placeWithin(place, name, key), inside),
        );
      if (name === 'example') return this.#writeValue(each, described);
      if (name === 'examples')
        return mapEntries(each, (example, key) =>
          this.#writeExample(example, described ?? this.#examples.get(placeWithin(place, name, key))),
        );
      if (name === 'encoding')
        return mapEntries(
          each,
          (part) => part,
          (key) => this.#writeName(key, described),
        );
      if (name === 'links') return mapEntries(each, (link) => this.#writeLink(link, inside));
      // The address of a callback is an expression that may name members of the request.
      if (name === 'callbacks')
        return mapEntries(each, (callback) =>
          mapEntries(
            callback,
            (item) => item,
            (key) => this.#writeExpression(key, inside),
          ),
        );
      return writeEach(each, name);
    });
  }

  /** @returns what the content at a place is */
  #findNode({ schema }: Json, place: string): Node | undefined {
    return isObject(schema) ? this.#vocabulary.compile([{ schema, place: placeWithin(place, 'schema') }]) : undefined;
  }

  #writePath(template: string): string {
    const route = this.#translator.routes.find(({ path }) => path.template === template);
    const [operation] = route?.path.operations.values() ?? [];
    return route
      ? writeTemplate(route, this.#vocabulary.words, (name) => `{${this.#writeParameter(operation, name)}}`)
      : template;
  }

  #writeParameter(operation: Operation | undefined, name: string): string {
    return (operation && this.#vocabulary.words.parameter(operation, name)?.word) ?? name;
  }

  /** Writes runtime expressions such as `$request.body#/owner/name` and `$request.query.kind`. */
  #writeExpression(text: string, operation: Operation | undefined): string {
    const [content] = operation?.body.values() ?? [];
    const body = content && this.#vocabulary.contents(content).body;
    const pointers = text.replaceAll(/(\$request\.body#)([^}]*)/g, (_, start: string, pointer: string) => {
      return placeWithin(start, ...exchangePath(this.#context, body, readPointer(pointer)));
    });
    return pointers.replaceAll(/(\$request\.(?:query|path)\.)([\w-]+)/g, (_, start: string, name: string) => {
      return start + this.#writeParameter(operation, name);
    });
  }

  #writeLink(value: unknown, operation: Operation | undefined): unknown {
    const { operationId, operationRef } = asObject(value);
    const target = [...this.#operations.values()].find(({ id, place }) => id === operationId || place === operationRef);
    const writeName = (name: string): string => {
      const [, location = '', own = name] = /^(query\.|path\.|header\.|cookie\.)?(.*)$/.exec(name) ?? [];
      return location + (location === 'header.' ? own : this.#writeParameter(target, own));
    };
    return mapEntries(value, (each, name) => {
      if (name === 'parameters')
        return mapEntries(each, (expression) => this.#writeExpression(String(expression), operation), writeName);
      return name === 'operationRef' && target
        ? placeWithin('#/paths', this.#writePath(target.template), target.method.toLowerCase())
        : each;
    });
  }

  #writeExample(value: unknown, node: Node | undefined): unknown {
    const reference = valueAt(value, '$ref');
    if (typeof reference === 'string' && !this.#examples.has(reference)) this.#examples.set(reference, node);
    return mapEntries(value, (each, name) => (name === 'value' ? this.#writeValue(each, node) : each));
  }

  #writeValue(value: unknown, node: Node | undefined): unknown {
    if (!node || value === undefined) return value;
    if (typeof value === 'string') return exchangeText(this.#context, node, value, '');
    const written = scanWhole(node, this.#context, JSON.stringify(value));
    return written === undefined ? value : JSON.parse(written);
  }

  #writeName(name: unknown, node: Node | undefined): string {
    return node?.members.out.get(String(name))?.to ?? String(name);
  }

  /** @param node that of the place: of the outermost schema which describes it */
  #writeSchema(schema: unknown, node: Node, writeEach: Write): Json {
    const writeNames = (names: unknown): unknown => asArray(names).map((name) => this.#writeName(name, node));
    return mapEntries(schema, (each, keyword) => {
      if (keyword === 'required') return writeNames(each);
      if (keyword === 'dependentRequired') return mapEntries(each, writeNames, (name) => this.#writeName(name, node));
      if (keyword === 'properties' || keyword === 'dependentSchemas')
        return mapEntries(
          writeEach(each, keyword),
          (part) => part,
          (name) => this.#writeName(name, node),
        );
      if (keyword === 'const' || keyword === 'default' || keyword === 'example') return this.#writeValue(each, node);
      if (keyword === 'enum' || keyword === 'examples')
        return asArray(each).map((part) => this.#writeValue(part, node));
      if (keyword !== 'discriminator') return writeEach(each, keyword);
      const values = node.members.out.get(String(valueAt(each, 'propertyName')))?.node;
      return mapEntries(each, (part, name) => {
        if (name === 'propertyName') return this.#writeName(part, node);
        return name === 'mapping'
          ? mapEntries(
              part,
              (to) => to,
              (key) => String(this.#writeValue(key, values)),
            )
          : part;
      });
    });
  }
}

function mapEntries(value: unknown, write: Write, writeName = (name: string): string => name): Json {
  return Object.fromEntries(
    Object.entries(asObject(value)).map(([name, each]) => [writeName(name), write(each, name)]),
  );
}
