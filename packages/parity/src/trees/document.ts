/** What a document says of an API, as far as requests are made from it. */
import { asArray, readPointer } from '../../../vocabularies/src/document.ts';
import { asObject, isObject, type Json, valueAt } from '../../../vocabularies/src/words.ts';

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

export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly parameters: readonly Parameter[];
  /** The schema of a JSON body, and its media type. */
  readonly body: { readonly type: string; readonly schema: Json } | undefined;
  /** Media types of its answers. */
  readonly types: readonly string[];
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
/** References that are followed one after the other: more of them lead in a circle. */
const MOST_REFERENCES = 50;
/** Schemas within schemas. */
const DEEPEST = 5;

export class Reader {
  readonly document: Json;

  constructor(document: unknown) {
    this.document = asObject(document);
  }

  /** @returns what a value refers to, or the value itself; an empty object for what is no object */
  resolve(value: unknown): Json {
    let target = value;
    for (let followed = 0; isObject(target) && typeof target.$ref === 'string'; followed++) {
      if (followed === MOST_REFERENCES || !target.$ref.startsWith('#/')) return {};
      target = valueAt(this.document, ...readPointer(target.$ref.slice(1)));
    }
    return asObject(target);
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
    if (Array.isArray(own)) return own.filter((each) => each !== null);
    if (depth >= DEEPEST) return [];
    const parts = [items, anyOf, oneOf, allOf].flat().filter((each) => each !== undefined);
    return parts.map((part) => this.choices(part, depth + 1)).find((all) => all.length > 0) ?? [];
  }

  operations(): readonly Operation[] {
    return Object.entries(asObject(this.document.paths)).flatMap(([template, value]) => {
      const path = this.resolve(value);
      return METHODS.filter((method) => isObject(path[method])).map((method) =>
        this.#readOperation(template, method, asObject(path[method]), path.parameters),
      );
    });
  }

  /** @returns an operation as the document has it */
  find({ template, method }: Operation): Json {
    return asObject(this.resolve(valueAt(this.document, 'paths', template))[method.toLowerCase()]);
  }

  #readOperation(template: string, method: string, operation: Json, shared: unknown): Operation {
    const content = asObject(this.resolve(operation.requestBody).content);
    const type = Object.keys(content).find((each) => /json/.test(each));
    const answers = Object.values(asObject(operation.responses)).map((each) => asObject(this.resolve(each).content));
    return {
      id: String(operation.operationId ?? `${method} ${template}`),
      method: method.toUpperCase(),
      template,
      parameters: [shared, operation.parameters].flatMap(asArray).map((each) => this.#readParameter(each)),
      body: type === undefined ? undefined : { type, schema: this.resolve(valueAt(content, type, 'schema')) },
      types: [...new Set(answers.flatMap((each) => Object.keys(each)))],
    };
  }

  #readParameter(value: unknown): Parameter {
    const parameter = this.resolve(value);
    const schema = this.resolve(parameter.schema ?? parameter);
    const listed = parameter['x-names'] ?? schema['x-names'] ?? this.resolve(schema.items)['x-names'] ?? [];
    return {
      name: String(parameter.name),
      in: String(parameter.in),
      isRequired: parameter.required === true,
      schema,
      isExploded: parameter.explode !== false && (parameter.style ?? 'form') === 'form',
      names: [listed].flat().flatMap((each) => {
        const name = String(each).replace(/^members of /, '');
        return Object.keys(this.properties(valueAt(this.document, 'components', 'schemas', name)));
      }),
    };
  }
}

/** @returns the type of a schema that is not null */
export function readType({ type }: Json): string | undefined {
  return [type].flat().find((each) => typeof each === 'string' && each !== 'null') as string | undefined;
}

/** @returns a path whose parameters have no names */
export const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');
