/** What a document says of an API, as far as requests are made from it. */
import { asArray, Document, type Operation, type Parameter } from '../../../vocabularies/src/document.ts';
import { readNames } from '../../../vocabularies/src/nodes.ts';
import { asObject, type Json, valueAt } from '../../../vocabularies/src/words.ts';

/** Schemas within schemas. */
const DEEPEST = 5;

export class Reader extends Document {
  /** @returns what a value refers to, or the value itself; an empty object for what is no object */
  override resolve(value: unknown, seen: readonly Json[] = []): Json {
    return super.resolve(asObject(value), seen);
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

  /** @returns the media type of a JSON body, and its schema; nothing if an operation takes none */
  findJson({ body }: Operation) {
    const [type, content] = [...body].find(([mediaType]) => /json/.test(mediaType)) ?? [];
    return type === undefined ? undefined : { type, schema: this.resolve(content?.body) };
  }

  /** @returns the names of members that may be the values of a parameter */
  listNames({ source, schema: value }: Parameter): readonly string[] {
    const schema = this.resolve(value);
    const holder = [source, schema, this.resolve(schema.items)].find((part) => 'x-names' in part) ?? {};
    return readNames(holder).flatMap((name) =>
      Object.keys(this.properties(valueAt(this.content, 'components', 'schemas', name))),
    );
  }
}

/** @returns the media types of the answers of an operation */
export function listTypes({ answers }: Operation): readonly string[] {
  return [...new Set([...answers.values()].flatMap((contents) => [...contents.keys()]))];
}

/** @returns the type of a schema that is not null */
export function readType({ type }: Json): string | undefined {
  return [type].flat().find((name) => typeof name === 'string' && name !== 'null') as string | undefined;
}

/** @returns a path whose parameters have no names */
export function omitNames(path: string): string {
  return path.replaceAll(/\{[^}]*\}/g, '{}');
}
