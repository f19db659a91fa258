/** Writes an OpenAPI document in the words of a table, and lists the addresses that its vocabularies add. */
import {
  asArray,
  asObject,
  isObject,
  type Json,
  mapEntries,
  type Operation,
  type Path,
  placeWithin,
  readPointer,
} from './document.ts';
import type { Node, Vocabulary } from './nodes.ts';
import { writeTemplate } from './paths.ts';
import { scanWhole } from './scan.ts';
import { type Context, exchangePath, exchangeText } from './texts.ts';
import { Translator } from './translator.ts';

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
  const translator = new Translator({ document, tables, select: 'prefix' });
  return translator.routes.flatMap((route) =>
    [...route.path.operations.values()].flatMap(({ id, method }) =>
      [undefined, ...translator.vocabularies.values()].map((vocabulary) => {
        const path = writeTemplate(route, vocabulary?.words, (name) => `{${name}}`);
        return { operation: id, method, vocabulary: vocabulary?.tag ?? '', path };
      }),
    ),
  );
}

/** What a keyword of a schema holds: schemas of the same place or of another one, names, or values. */
const KEYWORDS: Readonly<Record<string, 'same' | 'rest' | 'items' | 'names' | 'value' | 'values'>> = {
  ...Object.fromEntries(['allOf', 'oneOf', 'anyOf', 'if', 'then', 'else', 'not'].map((name) => [name, 'same'])),
  additionalProperties: 'rest',
  unevaluatedProperties: 'rest',
  items: 'items',
  prefixItems: 'items',
  contains: 'items',
  unevaluatedItems: 'items',
  required: 'names',
  const: 'value',
  default: 'value',
  example: 'value',
  enum: 'values',
  examples: 'values',
};

class DocumentWriter {
  readonly #translator: Translator;
  readonly #vocabulary: Vocabulary;
  readonly #context: Context;
  /** Examples and parameters that are referred to, with the node or operation of the first that does so. */
  readonly #examples = new Map<string, Node | undefined>();
  readonly #parameters = new Map<string, Operation>();

  constructor(translator: Translator, vocabulary: Vocabulary) {
    this.#translator = translator;
    this.#vocabulary = vocabulary;
    this.#context = { vocabulary, direction: 'out' };
  }

  write(): Json {
    const { content, paths } = this.#translator.document;
    const written = paths.map((path) => [this.#writeTemplate(path), this.#writePath(path)] as const);
    return mapMembers(content, {
      paths: () => Object.fromEntries(written),
      components: (components) =>
        mapEntries(components, (entries, kind) =>
          mapEntries(entries, (entry, name) =>
            this.#writeComponent(kind, entry, placeWithin('#/components', kind, name)),
          ),
        ),
    });
  }

  #writeComponent(kind: string, entry: unknown, place: string): unknown {
    if (kind === 'schemas') return this.#writeSchema(entry, this.#findNode(entry, place));
    if (kind === 'parameters') return this.#writeParameter(entry, place, this.#parameters.get(place));
    if (kind === 'responses' || kind === 'requestBodies') return this.#writeAnswer(entry, place);
    return kind === 'examples' ? this.#writeExample(entry, this.#examples.get(place)) : entry;
  }

  #findNode(schema: unknown, place: string): Node | undefined {
    return isObject(schema) ? this.#vocabulary.compile([{ schema, place }]) : undefined;
  }

  #writeParameterName(operation: Operation | undefined, name: string): string {
    return (operation && this.#vocabulary.words.parameter(operation, name)?.word) ?? name;
  }

  #writeTemplate({ template, operations }: Path): string {
    const [operation] = operations.values();
    return template.replaceAll(/\{([^}]*)\}|[^/{}]+/g, (text, name?: string) => {
      if (name === undefined) return this.#vocabulary.words.path(text)?.word ?? text;
      return `{${this.#writeParameterName(operation, name)}}`;
    });
  }

  #writePath({ template, place, operations }: Path): Json {
    const { document } = this.#translator;
    const item = document.resolve(asObject(document.content.paths)[template], place);
    const [first] = operations.values();
    return mapEntries(item?.schema, (value, name) => {
      const operation = operations.get(name.toUpperCase());
      if (operation) return this.#writeOperation(value, operation);
      return name === 'parameters' && item ? this.#writeParameters(value, placeWithin(item.place, name), first) : value;
    });
  }

  #writeOperation(value: unknown, operation: Operation): Json {
    const { place } = operation;
    return mapMembers(value, {
      parameters: (list) => this.#writeParameters(list, placeWithin(place, 'parameters'), operation),
      requestBody: (body) => this.#writeAnswer(body, placeWithin(place, 'requestBody')),
      responses: (answers) =>
        mapEntries(answers, (answer, status) =>
          this.#writeAnswer(answer, placeWithin(place, 'responses', status), operation),
        ),
      // The address of a callback is an expression that may name members of the request.
      callbacks: (callbacks) =>
        mapEntries(callbacks, (callback) => mapNames(callback, (name) => this.#writeExpression(name, operation))),
    });
  }

  /** Writes runtime expressions such as `$request.body#/owner/name` and `$request.query.kind`. */
  #writeExpression(text: string, operation: Operation): string {
    const [content] = operation.body.values();
    const body = content && this.#vocabulary.contents(content).body;
    const pointers = text.replaceAll(/(\$request\.body#)([^}]*)/g, (_, start: string, pointer: string) => {
      return placeWithin(start, ...exchangePath(this.#context, body, readPointer(pointer)));
    });
    return pointers.replaceAll(/(\$request\.(?:query|path)\.)([\w-]+)/g, (_, start: string, name: string) => {
      return start + this.#writeParameterName(operation, name);
    });
  }

  #writeParameters(value: unknown, place: string, operation: Operation | undefined): unknown {
    return asArray(value).map((each, at) => this.#writeParameter(each, placeWithin(place, at), operation));
  }

  #writeParameter(value: unknown, place: string, operation: Operation | undefined): unknown {
    const { $ref, name, in: location } = asObject(value);
    if (typeof $ref === 'string' && operation) this.#parameters.set($ref, this.#parameters.get($ref) ?? operation);
    const parameter = operation?.parameters.find((each) => each.name === name && each.in === location);
    if (!parameter) return value;
    const node = this.#vocabulary.compileParameter(parameter);
    return mapMembers(value, {
      name: () => (location === 'header' ? name : this.#writeParameterName(operation, parameter.name)),
      schema: (schema) => this.#writeSchema(schema, node),
      example: (example) => this.#writeValue(example, node),
      examples: (examples) => mapEntries(examples, (example) => this.#writeExample(example, node)),
      content: (content) => this.#writeContents(content, placeWithin(place, 'content')),
    });
  }

  #writeAnswer(value: unknown, place: string, operation?: Operation): unknown {
    return mapMembers(value, {
      content: (content) => this.#writeContents(content, placeWithin(place, 'content')),
      links: (links) => mapEntries(links, (link) => this.#writeLink(link, operation)),
    });
  }

  #writeLink(value: unknown, operation: Operation | undefined): unknown {
    const { operations, paths } = this.#translator.document;
    const { operationId, operationRef } = asObject(value);
    const target = operations.find(({ id, place }) => id === operationId || place === operationRef);
    const path = paths.find(({ template }) => template === target?.template);
    const writeName = (name: string): string => {
      const [, location = '', own = name] = /^(query\.|path\.|header\.|cookie\.)?(.*)$/.exec(name) ?? [];
      return location + (location === 'header.' ? own : this.#writeParameterName(target, own));
    };
    return mapMembers(value, {
      operationRef: (reference) =>
        path && target ? placeWithin('#/paths', this.#writeTemplate(path), target.method.toLowerCase()) : reference,
      parameters: (parameters) =>
        mapNames(parameters, writeName, (expression) =>
          operation ? this.#writeExpression(String(expression), operation) : expression,
        ),
    });
  }

  #writeContents(value: unknown, place: string): Json {
    return mapEntries(value, (content, type) => {
      const node = this.#findNode(asObject(content).schema, placeWithin(place, type, 'schema'));
      return mapMembers(content, {
        schema: (schema) => this.#writeSchema(schema, node),
        example: (example) => this.#writeValue(example, node),
        examples: (examples) =>
          mapEntries(examples, (example) => {
            const { $ref } = asObject(example);
            if (typeof $ref === 'string') this.#examples.set($ref, this.#examples.get($ref) ?? node);
            return this.#writeExample(example, node);
          }),
        encoding: (encoding) => this.#writeNames(encoding, node),
      });
    });
  }

  #writeExample(value: unknown, node: Node | undefined): unknown {
    return mapMembers(value, { value: (example) => this.#writeValue(example, node) });
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

  /** Writes the names of a map as the words of members. */
  #writeNames(value: unknown, node: Node | undefined, write?: (each: unknown, name: string) => unknown): Json {
    return mapNames(value, (name) => this.#writeName(name, node), write);
  }

  /** @param node that of the place: of the outermost schema which describes it */
  #writeSchema(value: unknown, node: Node | undefined): unknown {
    if (!isObject(value)) return value;
    const writeSame = (each: unknown): unknown => this.#writeSchema(each, node);
    const writeEach = (each: unknown): unknown => this.#writeName(each, node);
    return mapEntries(value, (each, keyword) => {
      switch (KEYWORDS[keyword]) {
        case 'same':
          return Array.isArray(each) ? each.map(writeSame) : writeSame(each);
        case 'rest':
          return this.#writeSchema(each, node?.rest);
        case 'items':
          if (!Array.isArray(each)) return this.#writeSchema(each, node?.items);
          return each.map((part, at) => this.#writeSchema(part, node?.prefix[at]));
        case 'names':
          return asArray(each).map(writeEach);
        case 'value':
          return this.#writeValue(each, node);
        case 'values':
          return asArray(each).map((part) => this.#writeValue(part, node));
      }
      switch (keyword) {
        case 'dependentSchemas':
          return this.#writeNames(each, node, writeSame);
        case 'dependentRequired':
          return this.#writeNames(each, node, (names) => asArray(names).map(writeEach));
        case 'properties':
          return this.#writeNames(each, node, (part, name) =>
            this.#writeSchema(part, node?.members.out.get(name)?.node),
          );
        case 'patternProperties':
          return mapEntries(each, (part, pattern) => {
            return this.#writeSchema(
              part,
              node?.patterns.find(([{ source }]) => source === new RegExp(pattern, 'u').source)?.[1],
            );
          });
        case 'discriminator': {
          const values = node?.members.out.get(String(asObject(each).propertyName))?.node;
          return mapMembers(each, {
            propertyName: writeEach,
            mapping: (mapping) => mapNames(mapping, (name) => String(this.#writeValue(name, values))),
          });
        }
        default:
          return each;
      }
    });
  }
}

/** @returns an object in which some members are written anew */
function mapMembers(value: unknown, writers: Readonly<Record<string, (value: unknown) => unknown>>): Json {
  return mapEntries(value, (each, name) => (Object.hasOwn(writers, name) ? writers[name]?.(each) : each));
}

function mapNames(
  value: unknown,
  writeName: (name: string) => string,
  write: (value: unknown, name: string) => unknown = (each) => each,
): Json {
  return Object.fromEntries(
    Object.entries(asObject(value)).map(([name, each]) => [writeName(name), write(each, name)]),
  );
}
