/** What a document says of an API, as far as requests are made from it. */
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
      target = valueAt(this.document, ...target.$ref.slice(2).split('/').map(readStep));
    }
    return asObject(target);
  }

  /** @returns the members of a schema, those of its parts included */
  properties(schema: unknown, depth = 0): Readonly<Record<string, unknown>> {
    const { properties, allOf, oneOf, anyOf } = this.resolve(schema);
    if (depth > 5) return {};
    const parts = [allOf, oneOf, anyOf].flatMap((each) => (Array.isArray(each) ? each : []));
    return Object.assign({}, ...parts.map((part) => this.properties(part, depth + 1)), asObject(properties));
  }

  required(schema: unknown, depth = 0): readonly string[] {
    const { required, allOf } = this.resolve(schema);
    const parts = depth > 5 || !Array.isArray(allOf) ? [] : allOf;
    const own = Array.isArray(required) ? required.map(String) : [];
    return [...own, ...parts.flatMap((part) => this.required(part, depth + 1))];
  }

  /** @returns the closed list of values of a schema, of its alternatives or of its items */
  choices(schema: unknown, depth = 0): readonly unknown[] {
    const resolved = this.resolve(schema);
    if (Array.isArray(resolved.enum)) return resolved.enum.filter((each) => each !== null);
    if (depth > 4) return [];
    const parts = [resolved.items, resolved.anyOf, resolved.oneOf, resolved.allOf]
      .flat()
      .filter((each) => each !== undefined);
    return parts.map((part) => this.choices(part, depth + 1)).find((all) => all.length > 0) ?? [];
  }

  #readNames(names: unknown): readonly string[] {
    const schemas = Array.isArray(names) ? names : names === undefined ? [] : [names];
    return schemas.flatMap((each) => {
      const name = String(each).replace(/^members of /, '');
      return Object.keys(this.properties(valueAt(this.document, 'components', 'schemas', name)));
    });
  }

  #readParameter(value: unknown): Parameter {
    const parameter = this.resolve(value);
    const schema = this.resolve(parameter.schema ?? parameter);
    const items = this.resolve(schema.items);
    return {
      name: String(parameter.name),
      in: String(parameter.in),
      isRequired: parameter.required === true,
      schema,
      isExploded: parameter.explode !== false && (parameter.style ?? 'form') === 'form',
      names: this.#readNames(parameter['x-names'] ?? schema['x-names'] ?? items['x-names']),
    };
  }

  operations(): readonly Operation[] {
    return Object.entries(asObject(this.document.paths)).flatMap(([template, value]) => {
      const path = this.resolve(value);
      return METHODS.filter((method) => isObject(path[method])).map((method) =>
        this.#readOperation(template, method, asObject(path[method]), path.parameters),
      );
    });
  }

  #readOperation(template: string, method: string, operation: Json, shared: unknown): Operation {
    const parameters = [shared, operation.parameters]
      .flatMap((each) => (Array.isArray(each) ? each : []))
      .map((each) => this.#readParameter(each));
    const content = Object.entries(asObject(this.resolve(operation.requestBody).content));
    const [type, body] = content.find(([each]) => /json/.test(each)) ?? [];
    const answers = Object.values(asObject(operation.responses)).map((each) => asObject(this.resolve(each).content));
    return {
      id: String(operation.operationId ?? `${method} ${template}`),
      method: method.toUpperCase(),
      template,
      parameters,
      body: type === undefined ? undefined : { type, schema: this.resolve(asObject(body).schema) },
      types: [...new Set(answers.flatMap((each) => Object.keys(each)))],
    };
  }
}

export const readStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** @returns the type of a schema that is not null */
export function typeOf(schema: Json): string | undefined {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map(String).find((type) => type !== 'null' && type !== 'undefined');
}

/** @returns a path whose parameters have no names */
export const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');
