/** Writes an OpenAPI document in the words of a table, and lists the addresses that its vocabularies add. */
import { asArray, asObject, isObject, type Json, type Operation, type Path, placeWithin } from './document.ts';
import { pathPattern } from './paths.ts';
import { scanValue } from './scan.ts';
import type { Shape } from './shapes.ts';
import { TextExchange } from './texts.ts';
import { Translator } from './translator.ts';
import type { Vocabulary } from './vocabulary.ts';

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
        const names = route.segments.flatMap(({ parameters }) => parameters);
        const path = pathPattern(route, vocabulary?.words).replaceAll('{}', () => `{${names.shift() ?? ''}}`);
        return { operation: id, method, vocabulary: vocabulary?.tag ?? '', path };
      }),
    ),
  );
}

class DocumentWriter {
  readonly #translator: Translator;
  readonly #vocabulary: Vocabulary;
  /** Examples that several contents share, with the shape of the first. */
  readonly #examples = new Map<string, Shape | undefined>();
  readonly #parameters = new Map<string, Operation>();

  constructor(translator: Translator, vocabulary: Vocabulary) {
    this.#translator = translator;
    this.#vocabulary = vocabulary;
  }

  write(): Json {
    const { content, paths } = this.#translator.document;
    const written = paths.map((path) => [this.#writeTemplate(path), this.#writePath(path)] as const);
    const others = Object.entries(asObject(content.components)).map(([kind, entries]) => {
      const place = placeWithin('#/components', kind);
      const named = Object.entries(asObject(entries)).map(([name, entry]) => {
        return [name, this.#writeComponent(kind, entry, placeWithin(place, name))] as const;
      });
      return [kind, Object.fromEntries(named)] as const;
    });
    const members = Object.entries(content).map(([name, value]) => {
      if (name === 'paths') return [name, Object.fromEntries(written)] as const;
      return [name, name === 'components' ? Object.fromEntries(others) : value] as const;
    });
    return Object.fromEntries(members);
  }

  #writeComponent(kind: string, entry: unknown, place: string): unknown {
    switch (kind) {
      case 'schemas':
        return this.#writeSchema(entry, this.#shapeOf(entry, place));
      case 'parameters':
        return this.#writeParameter(entry, place, this.#parameters.get(place));
      case 'responses':
      case 'requestBodies':
        return this.#writeAnswer(entry, place, false);
      case 'examples':
        return this.#writeExample(entry, this.#examples.get(place));
      default:
        return entry;
    }
  }

  #shapeOf(schema: unknown, place: string, isError = false): Shape | undefined {
    return isObject(schema) ? this.#translator.shapes.of([{ schema, place }], isError) : undefined;
  }

  #writeTemplate({ template, operations }: Path): string {
    const { words } = this.#vocabulary;
    const [operation] = operations.values();
    return template.replaceAll(/\{([^}]*)\}|[^/{}]+/g, (text, name?: string) => {
      if (name === undefined) return words.path(text)?.word ?? text;
      return `{${operation ? (words.parameter(operation, name)?.word ?? name) : name}}`;
    });
  }

  #writePath({ template, place, operations }: Path): Json {
    const item = asObject(asObject(this.#translator.document.content.paths)[template]);
    const { schema: resolved, place: at } = this.#translator.document.resolve(item, place) ?? { schema: item, place };
    const [first] = operations.values();
    const members = Object.entries(resolved).map(([name, value]) => {
      const operation = operations.get(name.toUpperCase());
      if (operation) return [name, this.#writeOperation(value, operation)] as const;
      return [
        name,
        name === 'parameters' && first ? this.#writeParameters(value, placeWithin(at, name), first) : value,
      ] as const;
    });
    return Object.fromEntries(members);
  }

  #writeOperation(value: unknown, operation: Operation): Json {
    const { place } = operation;
    return mapMembers(value, {
      parameters: (list) => this.#writeParameters(list, placeWithin(place, 'parameters'), operation),
      requestBody: (body) => this.#writeAnswer(body, placeWithin(place, 'requestBody'), false),
      responses: (answers) =>
        mapEntries(answers, (answer, status) => {
          return this.#writeAnswer(answer, placeWithin(place, 'responses', status), /^[45]/.test(status), operation);
        }),
      callbacks: (callbacks) => mapEntries(callbacks, (callback) => this.#writeCallback(callback, operation)),
    });
  }

  /** The address of a callback is an expression that may name members of the request. */
  #writeCallback(value: unknown, operation: Operation): Json {
    const written = Object.entries(asObject(value)).map(([expression, item]) => {
      return [this.#writeExpression(expression, operation), item] as const;
    });
    return Object.fromEntries(written);
  }

  /** Writes runtime expressions such as `$request.body#/owner/name` and `$request.query.kind`. */
  #writeExpression(text: string, operation: Operation): string {
    const pointers = text.replaceAll(/(\$request\.body#)([^}]*)/g, (_, start: string, pointer: string) => {
      return (
        start +
        new TextExchange(this.#vocabulary, 'out', { operation })
          .exchangeLocation(['body', ...pointer.slice(1).split('/')])
          .slice(1)
          .map((name) => `/${name}`)
          .join('')
      );
    });
    return pointers.replaceAll(/(\$request\.(?:query|path)\.)([\w-]+)/g, (_, start: string, name: string) => {
      return start + (this.#vocabulary.words.parameter(operation, name)?.word ?? name);
    });
  }

  #writeParameters(value: unknown, place: string, operation: Operation): unknown {
    return asArray(value).map((each, at) => this.#writeParameter(each, placeWithin(place, at), operation));
  }

  #writeParameter(value: unknown, place: string, operation: Operation | undefined): unknown {
    const { $ref, name, in: location } = asObject(value);
    if (typeof $ref === 'string' && operation) this.#parameters.set($ref, this.#parameters.get($ref) ?? operation);
    if (typeof name !== 'string' || !operation) return value;
    const parameter = operation.parameters.find((each) => each.name === name && each.in === location);
    const shape = parameter && this.#vocabulary.parameterShape(parameter);
    const exchange = (example: unknown): unknown => this.#writeValue(example, shape);
    return mapMembers(value, {
      name: () => (location === 'header' ? name : (this.#vocabulary.words.parameter(operation, name)?.word ?? name)),
      schema: (schema) => this.#writeSchema(schema, shape),
      example: exchange,
      examples: (examples) => mapEntries(examples, (example) => this.#writeExample(example, shape)),
      content: (content) => this.#writeContents(content, placeWithin(place, 'content'), false),
    });
  }

  #writeAnswer(value: unknown, place: string, isError: boolean, operation?: Operation): unknown {
    if ('$ref' in asObject(value)) return value;
    return mapMembers(value, {
      content: (content) => this.#writeContents(content, placeWithin(place, 'content'), isError),
      links: (links) => mapEntries(links, (link) => this.#writeLink(link, operation)),
    });
  }

  #writeLink(value: unknown, operation: Operation | undefined): unknown {
    const { operations } = this.#translator.document;
    const { operationId, operationRef } = asObject(value);
    const target = operations.find(({ id, place }) => id === operationId || place === operationRef);
    return mapMembers(value, {
      operationRef: (reference) => {
        const path = this.#translator.document.paths.find(({ template }) => template === target?.path);
        return path && target
          ? placeWithin('#/paths', this.#writeTemplate(path), target.method.toLowerCase())
          : reference;
      },
      parameters: (parameters) => {
        const written = Object.entries(asObject(parameters)).map(([name, expression]) => {
          const [, location = '', own = name] = /^(query\.|path\.|header\.|cookie\.)?(.*)$/.exec(name) ?? [];
          const word =
            target && location !== 'header.' ? (this.#vocabulary.words.parameter(target, own)?.word ?? own) : own;
          return [
            location + word,
            operation ? this.#writeExpression(String(expression), operation) : expression,
          ] as const;
        });
        return Object.fromEntries(written);
      },
    });
  }

  #writeContents(value: unknown, place: string, isError: boolean): Json {
    return mapEntries(value, (content, type) => {
      const schema = asObject(content).schema;
      const shape = this.#shapeOf(schema, placeWithin(place, type, 'schema'), isError);
      return mapMembers(content, {
        schema: (each) => this.#writeSchema(each, this.#shapeOf(schema, placeWithin(place, type, 'schema'))),
        example: (example) => this.#writeValue(example, shape),
        examples: (examples) =>
          mapEntries(examples, (example) => {
            const { $ref } = asObject(example);
            if (typeof $ref === 'string') this.#examples.set($ref, this.#examples.get($ref) ?? shape);
            return this.#writeExample(example, shape);
          }),
        encoding: (encoding) => this.#writeNames(encoding, shape),
      });
    });
  }

  #writeExample(value: unknown, shape: Shape | undefined): unknown {
    return mapMembers(value, { value: (example) => this.#writeValue(example, shape) });
  }

  #writeValue(value: unknown, shape: Shape | undefined): unknown {
    const text = shape?.holding === 'names' && typeof value === 'string';
    if (text) return new TextExchange(this.#vocabulary, 'out').exchangeText(shape, value);
    return scanValue(this.#vocabulary.side(shape, 'out'), value);
  }

  /** Writes the names of a map as the words of members. */
  #writeNames(value: unknown, shape: Shape | undefined, write = (each: unknown, _name: string): unknown => each): Json {
    const terms = shape && this.#vocabulary.members(shape).out;
    const written = Object.entries(asObject(value)).map(
      ([name, each]) => [terms?.get(name)?.to ?? name, write(each, name)] as const,
    );
    return Object.fromEntries(written);
  }

  /** @param shape of the place: that of the outermost schema which describes it */
  #writeSchema(value: unknown, shape: Shape | undefined): unknown {
    if (!isObject(value)) return value;
    const terms = shape && this.#vocabulary.members(shape).out;
    const writeName = (name: unknown): unknown => terms?.get(String(name))?.to ?? name;
    const writeNames = (names: unknown): unknown => asArray(names).map(writeName);
    const writeExample = (each: unknown): unknown => this.#writeValue(each, shape);
    const writeExamples = (each: unknown): unknown => asArray(each).map(writeExample);
    const writeSame = (each: unknown): unknown =>
      Array.isArray(each) ? each.map(writeSame) : this.#writeSchema(each, shape);
    const writeRest = (each: unknown): unknown => this.#writeSchema(each, shape?.rest);
    const writeItems = (each: unknown): unknown =>
      Array.isArray(each)
        ? each.map((part, at) => this.#writeSchema(part, shape?.prefix[at]))
        : this.#writeSchema(each, shape?.items);
    return mapMembers(value, {
      allOf: writeSame,
      oneOf: writeSame,
      anyOf: writeSame,
      if: writeSame,
      // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
      then: writeSame,
      else: writeSame,
      not: writeSame,
      dependentSchemas: (each) => this.#writeNames(each, shape, writeSame),
      properties: (each) =>
        this.#writeNames(each, shape, (part, name) => this.#writeSchema(part, shape?.members.get(name)?.shape)),
      patternProperties: (each) =>
        mapEntries(each, (part, pattern) => {
          const { source } = new RegExp(pattern, 'u');
          return this.#writeSchema(part, shape?.patterns.find(([expression]) => expression.source === source)?.[1]);
        }),
      additionalProperties: writeRest,
      unevaluatedProperties: writeRest,
      items: writeItems,
      prefixItems: writeItems,
      contains: writeItems,
      required: writeNames,
      dependentRequired: (each) => this.#writeNames(each, shape, writeNames),
      enum: writeExamples,
      examples: writeExamples,
      const: writeExample,
      default: writeExample,
      example: writeExample,
      discriminator: (each) => {
        const values = shape?.members.get(String(asObject(each).propertyName))?.shape;
        const writeMapping = (mapping: unknown): Json =>
          Object.fromEntries(
            Object.entries(asObject(mapping)).map(([name, to]) => [String(this.#writeValue(name, values)), to]),
          );
        return mapMembers(each, { propertyName: writeName, mapping: writeMapping });
      },
    });
  }
}

/** @returns an object in which some members are written anew */
function mapMembers(value: unknown, writers: Readonly<Record<string, (value: unknown) => unknown>>): Json {
  return mapEntries(value, (each, name) => (Object.hasOwn(writers, name) ? writers[name]?.(each) : each));
}

function mapEntries(value: unknown, write: (value: unknown, name: string) => unknown): Json {
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, each]) => [name, write(each, name)]));
}
