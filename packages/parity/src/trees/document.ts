/** What a document says of an API, as far as requests are made from it. */
import { asArray, type Operation as Described, Document } from '../../../vocabularies/src/document.ts';
import { readNames } from '../../../vocabularies/src/nodes.ts';
import { asObject, type Json, valueAt } from '../../../vocabularies/src/words.ts';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly isRequired: boolean;
  readonly schema: Json;
  /** Whether several values are sent as several parameters. */
  readonly isExploded: boolean;
  /** Names of members that may be its values. */
  readonly names: readonly string[];
}

export interface Operation extends Omit<Described, 'parameters' | 'body'> {
  readonly parameters: readonly Parameter[];
  /** The schema of a JSON body, and its media type. */
  readonly body: { readonly type: string; readonly schema: Json } | undefined;
  /** Media types of its answers. */
  readonly types: readonly string[];
  readonly described: Described;
}

/** Schemas within schemas. */
const DEEPEST = 5;

export class Reader {
  readonly document: Document;
  readonly operations: readonly Operation[];

  constructor(content: unknown) {
    this.document = new Document(content);
    this.operations = this.document.operations.map((operation) => this.#readOperation(operation));
  }

  /** @returns what a value refers to, or the value itself; an empty object for what is no object */
  resolve(value: unknown): Json {
    return this.document.resolve(asObject(value));
  }

  /** @returns the members of a schema, those of its parts included */
  properties(schema: unknown, depth = 0): Readonly<Record<string, unknown>> {
    const { properties, allOf, oneOf, anyOf } = this.resolve(schema);
    if (depth > DEEPEST) return {};
    const parts = [allOf, oneOf, anyOf].flatMap(asArray);
    return Object.assign({}, ...parts.map((part) => this.properties(part, depth + 1)), asObject(properties));
  }

  required(schema: unknown, depth = 0): readonly string[] {
    const { required, allOf } = this.resolve(schema);
    const parts = depth > DEEPEST ? [] : asArray(allOf);
    return [...asArray(required).map(String), ...parts.flatMap((part) => this.required(part, depth + 1))];
  }

  /** @returns the closed list of values of a schema, of its alternatives or of its items */
  choices(schema: unknown, depth = 0): readonly unknown[] {
    const { enum: own, items, anyOf, oneOf, allOf } = this.resolve(schema);
    if (Array.isArray(own)) return own.filter((choice) => choice !== null);
    if (depth >= DEEPEST) return [];
    const parts = [items, anyOf, oneOf, allOf].flat().filter((part) => part !== undefined);
    return parts.map((part) => this.choices(part, depth + 1)).find((all) => all.length > 0) ?? [];
  }

  #readOperation(described: Described): Operation {
    const [type, content] = [...described.body].find(([mediaType]) => /json/.test(mediaType)) ?? [];
    return {
      ...described,
      parameters: described.parameters.map(({ name, in: location, schema, source, explode, style }) => ({
        name,
        in: location,
        isRequired: source.required === true,
        schema: this.resolve(schema),
        isExploded: explode && style === 'form',
        names: this.#listNames(source, schema),
      })),
      body: type === undefined ? undefined : { type, schema: this.resolve(content?.body) },
      types: [...new Set([...described.answers.values()].flatMap((contents) => [...contents.keys()]))],
      described,
    };
  }

  /** @returns the names that the values of a parameter may be */
  #listNames(parameter: Json, value: unknown): readonly string[] {
    const schema = this.resolve(value);
    const holder = [parameter, schema, this.resolve(schema.items)].find((part) => 'x-names' in part) ?? {};
    const names = readNames(holder);
    return names.flatMap((name) =>
      Object.keys(this.properties(valueAt(this.document.content, 'components', 'schemas', name))),
    );
  }
}

/** @returns the type of a schema that is not null */
export function readType({ type }: Json): string | undefined {
  return [type].flat().find((name) => typeof name === 'string' && name !== 'null') as string | undefined;
}

/** @returns a path whose parameters have no names */
export function omitNames(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}
