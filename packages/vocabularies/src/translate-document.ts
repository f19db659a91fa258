/** Writes an OpenAPI document in the words of a table, and lists the addresses that its vocabularies add. */
import {
  asArray,
  type Document,
  decodeUri,
  type Operation,
  type Parameter,
  placeWithin,
  readParts,
  readPointer,
} from './document.ts';
import type { Node, Vocabulary } from './nodes.ts';
import { createRoute, writeTemplate } from './paths.ts';
import { scanWhole } from './scan.ts';
import { type Context, exchangePath, exchangeText } from './texts.ts';
import { Translator } from './translator.ts';
import { asObject, findOrCreate, isObject, type Json, valueAt } from './words.ts';

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
    [...route.operations.values()].flatMap(({ id, method }) =>
      all.map((vocabulary) => {
        const path = writeTemplate(route, vocabulary?.words, (name) => `{${name}}`);
        return { operation: id, method, vocabulary: vocabulary?.tag ?? '', path };
      }),
    ),
  );
}

/** Keywords that say how a listed value is spelt. */
const SPELLING = ['pattern', 'minLength', 'maxLength'];

/** Parts of a document that are written by what they are called; under another form they are anything. */
const MAPS = ['examples', 'encoding', 'headers', 'links', 'callbacks', 'properties'];

class DocumentWriter {
  readonly #document: Document;
  readonly #vocabulary: Vocabulary;
  readonly #context: Context;
  /** Parameters, and operations, by what the document has of them; a parameter that several operations refer to is that of the first. */
  readonly #parameters = new Map<Json, readonly [Operation, Parameter]>();
  readonly #operations = new Map<Json, Operation>();
  /** What examples are of. */
  readonly #examples = new Map<Json, Node | undefined>();

  constructor({ document }: Translator, vocabulary: Vocabulary) {
    this.#document = document;
    this.#vocabulary = vocabulary;
    this.#context = { vocabulary, direction: 'out' };
    for (const operation of document.operations) {
      this.#operations.set(operation.source, operation);
      for (const parameter of operation.parameters) {
        if (!this.#parameters.has(parameter.source)) this.#parameters.set(parameter.source, [operation, parameter]);
      }
    }
  }

  write(): Json {
    const { content } = this.#document;
    for (const schema of readParts(valueAt(content, 'components', 'schemas')))
      if (!this.#vocabulary.bySchema.has(schema)) this.#vocabulary.compile([schema]);
    const writeParts = (parts: unknown): Json => mapEntries(parts, (part) => this.#write(part));
    // References to examples are read before components.
    const paths = mapNames(writeParts(content.paths), (template) => this.#writePath(template));
    const webhooks = writeParts(content.webhooks);
    const components = mapEntries(content.components, (parts, name) =>
      MAPS.includes(name) || !isObject(parts) ? valueAt(this.#write({ [name]: parts }), name) : writeParts(parts),
    );
    const changes: Json = { paths, webhooks, components };
    // References may lead to anything, such as `#/definitions/Boat`.
    return mapEntries(content, (value, name) => valueAt(changes, name) ?? this.#write(value));
  }

  /** Writes any part of a document. */
  #write(value: unknown, outer?: Operation): unknown {
    if (Array.isArray(value)) return value.map((part) => this.#write(part, outer));
    if (!isObject(value)) return value;
    const operation = this.#operations.get(value) ?? outer;
    const write = (part: unknown): unknown => this.#write(part, operation);
    const [node] = this.#vocabulary.bySchema.get(value) ?? [];
    if (node) return this.#writeSchema(value, node, operation);
    const [user, parameter] = this.#parameters.get(value) ?? [];
    const described = parameter ? this.#vocabulary.compileParameter(parameter) : this.#findNode(value.schema);
    return mapEntries(value, (part, name) => {
      switch (MAPS.includes(name) && !isObject(part) ? '' : name) {
        case '$ref':
          return this.#writeReference(String(part));
        case 'name':
          return parameter && parameter.in !== 'header'
            ? this.#writeParameter(user, parameter.name, parameter.in)
            : part;
        case 'schema':
          return parameter && described ? this.#writeSchema(part, described, operation) : write(part);
        case 'example':
          return this.#writeValue(part, described ?? this.#examples.get(value));
        case 'value':
          return this.#writeValue(part, this.#examples.get(value));
        case 'examples':
          for (const example of readParts(part))
            findOrCreate(this.#examples, this.#document.resolve(example), () => described);
          return mapEntries(part, write);
        case 'encoding':
          return mapNames(part, (key) => this.#writeName(key, described));
        // Members of a schema that nothing refers to may be called like any of these.
        case 'properties':
          return mapEntries(part, write);
        case 'headers':
          return this.#writeReferences(part);
        case 'links':
          return mapEntries(part, (link) => this.#writeLink(link, operation, value));
        // The address of a callback is an expression that may name members of the request.
        case 'callbacks':
          return mapEntries(part, (callback) =>
            mapEntries(callback, write, (address) => this.#writeExpression(address, operation)),
          );
        default:
          return write(part);
      }
    });
  }

  /** @returns what the content at a place is */
  #findNode(schema: unknown): Node | undefined {
    return isObject(schema) ? this.#vocabulary.compile([schema]) : undefined;
  }

  #writePath(template: string): string {
    const path = this.#document.paths.find((candidate) => candidate.template === template);
    if (!path) return template;
    const [operation] = path.operations.values();
    const writeName = (name: string): string => `{${this.#writeParameter(operation, name, 'path')}}`;
    return writeTemplate(createRoute(path), this.#vocabulary.words, writeName) + (/[?#].*/s.exec(template)?.[0] ?? '');
  }

  /** Writes a part that stays but for its references, as values in headers of answers do. */
  #writeReferences(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#writeReferences(item));
    if (!isObject(part)) return part;
    return mapEntries(part, (value, name) =>
      name === '$ref' ? this.#writeReference(String(value)) : this.#writeReferences(value),
    );
  }

  /** A reference may lead through paths and properties, whose names have words. */
  #writeReference($ref: string): string {
    const names = readPointer(decodeUri($ref));
    const words = names.map((name, at) => {
      if (at === 1 && names[0] === 'paths') return this.#writePath(name);
      const isMember = names[at - 1] === 'properties';
      const schema = isMember && valueAt(this.#document.content, ...names.slice(0, at - 1));
      const [node] = this.#vocabulary.bySchema.get(asObject(schema)) ?? [];
      return this.#writeName(name, node);
    });
    return words.some((name, at) => name !== names[at]) ? encodeURI(placeWithin('#', ...words)) : $ref;
  }

  #writeParameter(
    operation: Operation | undefined,
    name: string,
    location = operation?.parameters.find((parameter) => parameter.name === name)?.in,
  ): string {
    const word = operation && this.#vocabulary.words.findParameter(operation, name)?.word;
    // Nobody sends the name of a path's parameter, and linters find only those of ASCII in the path.
    return word === undefined || (location === 'path' && !/^[\w.-]+$/.test(word)) ? name : word;
  }

  /** Writes runtime expressions such as `$request.body#/owner/name`, `$request.query.kind` and `$response.body#/id`. */
  #writeExpression(text: string, operation: Operation | undefined, answer?: unknown): string {
    const [sent] = operation?.body.values() ?? [];
    const body = sent && this.#vocabulary.findContents(sent).body;
    const [received] = readParts(valueAt(answer, 'content'));
    const pointers = text.replaceAll(
      /(\$(request|response)\.body#)([^}]*)/g,
      (_, start: string, part, pointer: string) => {
        const node = part === 'request' ? body : this.#findNode(received?.schema);
        return placeWithin(start, ...exchangePath(this.#context, node, readPointer(pointer)));
      },
    );
    return pointers.replaceAll(/(\$request\.(query|path)\.)([^{}\s]+)/g, (_, start: string, location, name: string) => {
      return start + this.#writeParameter(operation, name, location);
    });
  }

  #writeLink(value: unknown, operation: Operation | undefined, answer: unknown): unknown {
    const { operationId, operationRef } = asObject(value);
    const target = this.#document.operations.find(
      ({ id, source }) => id === operationId || this.#document.findPlace(source) === operationRef,
    );
    const writeName = (name: string): string => {
      const [, start = '', location, own = name] = /^((query|path|header|cookie)\.)?(.*)$/.exec(name) ?? [];
      return start + (location === 'header' ? own : this.#writeParameter(target, own, location));
    };
    const write = (part: unknown): unknown =>
      typeof part === 'string' ? this.#writeExpression(part, operation, answer) : part;
    return mapEntries(value, (part, name) => {
      if (name === 'parameters') return mapEntries(part, write, writeName);
      if (name === 'requestBody') return write(part);
      return name === 'operationRef' ? this.#writeReference(String(part)) : part;
    });
  }

  #writeValue(value: unknown, node: Node | undefined): unknown {
    if (!node || value === undefined) return value;
    if (typeof value === 'string') return exchangeText(this.#context, node, value, '');
    const text = scanWhole(node, this.#context, JSON.stringify(value));
    return text === undefined ? value : JSON.parse(text);
  }

  #writeName(name: unknown, node: Node | undefined): string {
    return node?.members.out.get(String(name))?.to ?? String(name);
  }

  /** @param node that of the place: of the outermost schema which describes it */
  #writeSchema(schema: unknown, node: Node, operation: Operation | undefined): Json {
    const nodes = this.#vocabulary.bySchema.get(asObject(schema)) ?? [node];
    const { const: constant, ...others } = asObject(schema);
    const words = this.#writeChoices([constant], nodes);
    const own: Json = words.length > 1 ? { ...others, enum: [constant] } : asObject(schema);
    const listed = [constant, ...asArray(own.enum)];
    const areWords = this.#writeChoices(listed, nodes).some(
      (word) => typeof word === 'string' && !listed.includes(word),
    );
    // What was true of the names need not be true of words.
    const rest = Object.entries(own).filter(([keyword]) => !areWords || !SPELLING.includes(keyword));
    const writeName = (name: unknown): string => this.#writeName(name, node);
    const write = (part: unknown): unknown => this.#write(part, operation);
    return mapEntries(Object.fromEntries(rest), (value, keyword) => {
      switch (keyword) {
        case '$ref':
          return this.#writeReference(String(value));
        case 'required':
          return Array.isArray(value) ? value.map(writeName) : value;
        case 'dependentRequired':
          return mapEntries(value, (names) => asArray(names).map(writeName), writeName);
        case 'properties':
        case 'dependentSchemas':
          return mapEntries(value, write, writeName);
        case 'patternProperties':
        case '$defs':
        case 'definitions':
          return mapEntries(value, write);
        case 'enum':
          return this.#writeChoices(asArray(value), nodes);
        case 'const':
        case 'default':
        case 'example':
          return this.#writeValue(value, node);
        case 'examples':
          return asArray(value).map((example) => this.#writeValue(example, node));
        case 'discriminator': {
          const values = node.members.out.get(String(valueAt(value, 'propertyName')))?.node;
          return mapEntries(value, (part, name) => {
            if (name === 'propertyName') return writeName(part);
            if (name !== 'mapping') return part;
            const writeKind = (reference: unknown): string => this.#writeReference(String(reference));
            return mapEntries(part, writeKind, (key) => String(this.#writeValue(key, values)));
          });
        }
        default:
          return write(value);
      }
    });
  }

  /** Writes what a schema lists. If it describes several places, a value may have its word in some of them only. */
  #writeChoices(listed: readonly unknown[], nodes: readonly Node[]): readonly unknown[] {
    return listed.flatMap((value) => {
      const words = nodes.map((node) => this.#writeValue(value, node));
      return typeof value === 'string' ? [...new Set(words)] : words.slice(0, 1);
    });
  }
}

function mapEntries(
  value: unknown,
  write: (part: unknown, name: string) => unknown,
  writeName = (name: string): string => name,
): Json {
  const entries = Object.entries(asObject(value)).map(([name, part]) => [writeName(name), write(part, name)] as const);
  return Object.fromEntries(entries);
}

function mapNames(value: unknown, writeName: (name: string) => string): Json {
  return mapEntries(value, (part) => part, writeName);
}
