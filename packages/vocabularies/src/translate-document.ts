/** Writes an OpenAPI document in the words of a table, and lists the addresses that its vocabularies add. */
import { asArray, decodeUri, type Operation, type Parameter, placeWithin, readPointer } from './document.ts';
import type { Node, Vocabulary } from './nodes.ts';
import { createRoute, writeTemplate } from './paths.ts';
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
    [...route.operations.values()].flatMap(({ id, method }) =>
      all.map((vocabulary) => {
        const path = writeTemplate(route, vocabulary?.words, (name) => `{${name}}`);
        return { operation: id, method, vocabulary: vocabulary?.tag ?? '', path };
      }),
    ),
  );
}

/** Keywords that say how a listed value is spelt. */
const OF_NAMES = ['pattern', 'minLength', 'maxLength'];

type Write = (value: unknown, name: string) => unknown;
/** Writes what stands within a place. */
type WriteAt = (value: unknown, ...names: readonly string[]) => unknown;

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
      const isUsed = isObject(schema) && this.#vocabulary.bySchema.has(schema);
      if (isObject(schema) && !isUsed)
        this.#vocabulary.compile([{ schema, place: placeWithin('#/components/schemas', name) }]);
    }
    const write = (name: string): Json =>
      mapEntries(content[name], (part, key) => this.#write(part, placeWithin('#', name, key)));
    // References to examples are read before components.
    const paths = mapNames(write('paths'), (template) => this.#writePath(template));
    const written: Json = { paths, webhooks: write('webhooks'), components: this.#writeComponents() };
    return mapEntries(content, (value, name) => valueAt(written, name) ?? value);
  }

  #writeComponents(): Json {
    return mapEntries(this.#translator.document.content.components, (entries, kind) =>
      mapEntries(entries, (entry, name) => this.#write(entry, placeWithin('#/components', kind, name))),
    );
  }

  /** Writes any part of a document, by its place. */
  #write(value: unknown, place: string, operation?: Operation): unknown {
    if (Array.isArray(value)) return value.map((each, at) => this.#write(each, placeWithin(place, at), operation));
    if (!isObject(value)) return value;
    const inside = this.#operations.get(place) ?? operation;
    const writeAt: WriteAt = (each, ...names) => this.#write(each, placeWithin(place, ...names), inside);
    const [node] = this.#vocabulary.bySchema.get(value) ?? [];
    if (node) return this.#writeSchema(value, node, writeAt);
    const [user, parameter] = this.#parameters.get(place) ?? [];
    const described = parameter ? this.#vocabulary.compileParameter(parameter) : this.#findNode(value, place);
    return mapEntries(value, (each, name) => {
      switch (name) {
        case '$ref':
          return this.#writeReference(String(each));
        case 'name':
          return parameter && parameter.in !== 'header' ? this.#writeParameter(user, parameter.name) : each;
        case 'schema':
          if (!parameter || !described) return writeAt(each, name);
          return this.#writeSchema(each, described, (part, ...names) => writeAt(part, name, ...names));
        case 'example':
          return this.#writeValue(each, described ?? this.#examples.get(place));
        case 'value':
          return this.#writeValue(each, this.#examples.get(place));
        case 'examples':
          return mapEntries(each, (example, key) =>
            this.#writeExample(example, placeWithin(place, name, key), described),
          );
        case 'encoding':
          return mapNames(each, (key) => this.#writeName(key, described));
        case 'headers':
          return mapEntries(each, (header, key) => writeAt(header, name, key));
        case 'links':
          return mapEntries(each, (link) => this.#writeLink(link, inside));
        // The address of a callback is an expression that may name members of the request.
        case 'callbacks':
          return mapEntries(each, (callback, key) =>
            mapEntries(
              callback,
              (item, address) => writeAt(item, name, key, address),
              (address) => this.#writeExpression(address, inside),
            ),
          );
        default:
          return writeAt(each, name);
      }
    });
  }

  /** @returns what the content at a place is */
  #findNode({ schema }: Json, place: string): Node | undefined {
    return isObject(schema) ? this.#vocabulary.compile([{ schema, place: placeWithin(place, 'schema') }]) : undefined;
  }

  #writePath(template: string): string {
    const path = this.#translator.document.paths.find((each) => each.template === template);
    if (!path) return template;
    const [operation] = path.operations.values();
    const writeName = (name: string): string => `{${this.#writeParameter(operation, name)}}`;
    return writeTemplate(createRoute(path), this.#vocabulary.words, writeName) + (/[?#].*/s.exec(template)?.[0] ?? '');
  }

  /** A reference may lead through paths and properties, whose names have words. */
  #writeReference($ref: string): string {
    const parents: unknown[] = [this.#translator.document.content];
    const names = readPointer(decodeUri($ref));
    const written = names.map((name, at) => {
      const [schema, part] = parents.slice(-2);
      parents.push(valueAt(part ?? schema, name) ?? asArray(part)[Number(name)]);
      if (at === 1 && names[0] === 'paths') return this.#writePath(name);
      const [node] = (names[at - 1] === 'properties' && this.#vocabulary.bySchema.get(asObject(schema))) || [];
      return this.#writeName(name, node);
    });
    return written.some((name, at) => name !== names[at]) ? placeWithin('#', ...written) : $ref;
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

  #writeExample(value: unknown, place: string, node: Node | undefined): unknown {
    const reference = valueAt(value, '$ref') ?? place;
    if (!this.#examples.has(String(reference))) this.#examples.set(String(reference), node);
    return this.#write(value, place);
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
  #writeSchema(schema: unknown, node: Node, writeAt: WriteAt): Json {
    const writeName = (name: unknown): string => this.#writeName(name, node);
    const nodes = this.#vocabulary.bySchema.get(asObject(schema)) ?? [node];
    const isEnum = this.#writeChoices([valueAt(schema, 'const')], nodes).length > 1;
    const write: Write = (each, keyword) => {
      switch (keyword) {
        case '$ref':
          return this.#writeReference(String(each));
        case 'required':
          return asArray(each).map(writeName);
        case 'dependentRequired':
          return mapEntries(each, (names) => asArray(names).map(writeName), writeName);
        case 'properties':
        case 'dependentSchemas':
          return mapEntries(each, (part, name) => writeAt(part, keyword, name), writeName);
        case 'patternProperties':
        case '$defs':
        case 'definitions':
          return mapEntries(each, (part, name) => writeAt(part, keyword, name));
        case 'enum':
          return this.#writeChoices(asArray(each), nodes);
        case 'const':
          return isEnum ? this.#writeChoices([each], nodes) : this.#writeValue(each, node);
        case 'default':
        case 'example':
          return this.#writeValue(each, node);
        case 'examples':
          return asArray(each).map((part) => this.#writeValue(part, node));
        case 'discriminator': {
          const values = node.members.out.get(String(valueAt(each, 'propertyName')))?.node;
          return mapEntries(each, (part, name) => {
            if (name === 'propertyName') return writeName(part);
            return name === 'mapping' ? mapNames(part, (key) => String(this.#writeValue(key, values))) : part;
          });
        }
        default:
          return writeAt(each, keyword);
      }
    };
    const listed = [valueAt(schema, 'const'), ...asArray(valueAt(schema, 'enum'))];
    const areWords = this.#writeChoices(listed, nodes).some(
      (each) => typeof each === 'string' && !listed.includes(each),
    );
    // What was true of the names need not be true of words.
    const rest = Object.entries(asObject(schema)).filter(([keyword]) => !areWords || !OF_NAMES.includes(keyword));
    return mapEntries(Object.fromEntries(rest), write, (keyword) => (keyword === 'const' && isEnum ? 'enum' : keyword));
  }

  /** Writes what a schema lists. If it describes several places, a value may have its word in some of them only. */
  #writeChoices(listed: readonly unknown[], nodes: readonly Node[]): readonly unknown[] {
    return listed.flatMap((each) => {
      const written = nodes.map((node) => this.#writeValue(each, node));
      return typeof each === 'string' ? [...new Set(written)] : written.slice(0, 1);
    });
  }
}

function mapEntries(value: unknown, write: Write, writeName = (name: string): string => name): Json {
  const entries = Object.entries(asObject(value)).map(([name, each]) => [writeName(name), write(each, name)] as const);
  return Object.fromEntries(entries);
}

function mapNames(value: unknown, writeName: (name: string) => string): Json {
  return mapEntries(value, (each) => each, writeName);
}
