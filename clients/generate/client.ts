/** The source of a client in one language, from the templates, the dictionary and the OpenAPI document. */
import { readFileSync } from 'node:fs';
import { collectionSource } from './collection.ts';
import { type Deployment, type OpenApi, type Schema, takesKeys } from './deployment.ts';
import { comment, interfaceOf, reachable, type TypeNames } from './types.ts';
import { type ClientWords, expectIdentifier, fill, property, typeWordOf } from './words.ts';

const template = readFileSync(new URL('../templates/client.txt', import.meta.url), 'utf8');

/** Schemas that have one name in every language, and another one in a client. */
const isRenamed = (name: string, types: ClientWords['types']): name is keyof ClientWords['types'] => name in types;

const namesFor = ({ dictionary, document }: Deployment, { types }: ClientWords): TypeNames => {
  const fields = Object.entries(dictionary.collections).map(([name, { fields }]) => {
    const values = Object.values(fields).map((each) => each.word);
    return [JSON.stringify(values), types.Field.replace('{}', typeWordOf(dictionary.collections, name))] as const;
  });
  const codes = JSON.stringify(document.components.schemas.ProblemCode?.enum);
  return {
    nameOf: (schema) => (isRenamed(schema, types) ? types[schema] : schema),
    aliases: new Map([...fields, [codes, types.ProblemCode]]),
  };
};

/** What errors may be about: fields, ranges and parameters. */
const canonicalNames = ({ collections, parameters }: Deployment['dictionary']): readonly string[] => {
  const fields = Object.values(collections).flatMap(({ fields }) => Object.entries(fields));
  const ranges = fields.flatMap(([name, { range = {} }]) => Object.keys(range).map((end) => `${name}_${end}`));
  return [...new Set([...fields.map(([name]) => name), ...ranges, ...Object.keys(parameters)])];
};

/** The document has a string for what an error is about. */
const schemaOf = ({ components }: OpenApi, name: string): Schema => {
  const schema = components.schemas[name] ?? {};
  const { name: about, ...members } = schema.properties ?? {};
  return name === 'ProblemError' && about
    ? { ...schema, properties: { ...members, name: { ...about, $ref: 'Name' } } }
    : schema;
};

const union = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' | ');

/** @throws Error where two types have one name */
const expectNoClash = (source: string): void => {
  const names = [...source.matchAll(/^export (?:interface|type|class) ([\p{ID_Continue}$]+)/gmu)].map(
    ([, name]) => name,
  );
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two types are called ${twice}: give other words with --words`);
};

/** @returns a program in TypeScript, beside the files of `runtime`, and the types of the document that it has */
export const clientSource = (deployment: Deployment, words: ClientWords) => {
  const { dictionary, document } = deployment;
  const names = namesFor(deployment, words);
  const collections = Object.entries(dictionary.collections);
  const made = collections.map(([name]) => collectionSource(deployment, words, names, name));
  const used = reachable(document, ['Problem', ...made.flatMap(({ schemas }) => schemas)]);
  for (const name of [...used, ...Object.keys(dictionary.collections)]) expectIdentifier(name);
  const aliases = [...names.aliases].map(([values, name]) => {
    const open = name === words.types.ProblemCode ? ' | (string & {})' : '';
    return `export type ${name} = ${union(JSON.parse(values))}${open};\n`;
  });
  const interfaces = used
    .filter((name) => name !== 'ProblemCode')
    .map((name) => {
      const isSent = made.some(({ sent }) => sent.includes(name));
      return interfaceOf(names.nameOf(name), schemaOf(document, name), names, isSent);
    });
  const top = collections.filter(([, { parent }]) => parent === undefined);
  const listed = Object.values(document.components.parameters).filter(({ explode }) => explode === false);
  const source = fill(template, {
    ...words.members,
    ...words.types,
    ...Object.fromEntries(Object.entries(words.texts).map(([name, text]) => [`text.${name}`, text])),
    connect: words.connect,
    names: union(canonicalNames(dictionary)),
    types: [...aliases, ...interfaces].join('\n'),
    collections: made.map((each) => each.source).join('\n'),
    CatalogueTypes: top
      .map(([name, { word, description }]) => {
        const type = words.types.Collection.replace('{}', typeWordOf(dictionary.collections, name));
        return `${comment(description)}readonly ${property(word)}: ${type};\n`;
      })
      .join(''),
    made: top.map(([name, { word }]) => `${property(word)}: ${name}(service)`).join(', '),
    'word.pageSize': JSON.stringify(dictionary.parameters.number_of_elements?.word ?? ''),
    'word.changedSince': JSON.stringify(dictionary.parameters.changed_since?.word ?? ''),
    takesKeys: String(takesKeys(document)),
    lists: JSON.stringify([...new Set(listed.map(({ name }) => name))]),
  });
  expectNoClash(source);
  return { source, types: used.map(names.nameOf) };
};
