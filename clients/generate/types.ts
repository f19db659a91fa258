/** Types of TypeScript for what the OpenAPI document describes. */
import type { OpenApi, Parameter, Schema } from './deployment.ts';
import { property } from './words.ts';

/** How types of the document are called in the client, and what stands for an enumeration. */
export interface TypeNames {
  readonly nameOf: (schema: string) => string;
  /** The name of a type, by the JSON of its values. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** A text of the service as a comment may have it: none ends before its end. */
export const inComment = (text: string): string => text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ');

export const comment = (text: string | undefined): string => (text === undefined ? '' : `/** ${inComment(text)} */\n`);

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
const literals = (values: readonly unknown[]): string => union(values.map((value) => JSON.stringify(value)));
const list = (type: string): string => `readonly ${type.includes(' ') ? `(${type})` : type}[]`;

const PLAIN: Readonly<Record<string, string>> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
};

/** @returns the type of a schema's values */
const typeOf = (schema: Schema, names: TypeNames): string => {
  if (schema.$ref !== undefined) return names.nameOf(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
  if (schema.enum) return names.aliases.get(JSON.stringify(schema.enum)) ?? literals(schema.enum);
  if (schema.const !== undefined) return literals([schema.const]);
  if (schema.anyOf) return union(schema.anyOf.map((each) => typeOf(each, names)));
  const plain = (type: string): string =>
    type === 'array' ? list(typeOf(schema.items ?? {}, names)) : (PLAIN[type] ?? 'unknown');
  return union([schema.type ?? []].flat().map(plain));
};

/** @returns an interface of a schema with members; of what is sent, members may be `undefined` as well as missing */
export const interfaceOf = (name: string, schema: Schema, names: TypeNames, isSent: boolean): string => {
  const members = Object.entries(schema.properties ?? {}).map(([word, each]) => {
    const isOptional = !schema.required?.includes(word);
    const type = typeOf(each, names) + (isOptional && isSent ? ' | undefined' : '');
    return `${comment(each.description)}readonly ${property(word)}${isOptional ? '?' : ''}: ${type};\n`;
  });
  return `${comment(schema.description)}export interface ${name} {\n${members.join('')}}\n`;
};

/** @returns a member of a query; a filter takes one value or several */
export const parameterOf = ({ name, description, required, explode, schema }: Parameter, names: TypeNames): string => {
  const isRepeated = schema.type === 'array' && explode !== false;
  const type = isRepeated ? union([typeOf(schema.items ?? {}, names), typeOf(schema, names)]) : typeOf(schema, names);
  return `${comment(description)}readonly ${property(name)}${required ? `: ${type}` : `?: ${type} | undefined`};\n`;
};

/** @returns the names of schemas, and of all that they refer to */
export const reachable = ({ components }: OpenApi, from: readonly string[]): readonly string[] => {
  const found = new Set<string>();
  const visit = (schema: Schema | undefined): void => {
    if (schema === undefined) return;
    const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1);
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      visit(components.schemas[name]);
    }
    for (const each of [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})]) visit(each);
  };
  for (const name of from) visit({ $ref: name });
  return [...found];
};
