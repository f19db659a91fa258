/** What a client is made of: the words of a language, and the OpenAPI document in it. */
import { type Dictionary, type Fetch, readDictionaries } from '../../kit/src/dictionary.ts';

/** JSON Schema, as far as the documents use it for what clients send and read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
}

interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  /** `false` where several values have commas between them. */
  readonly explode?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApi {
  readonly info: { readonly title: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Partial<Operation>>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}

export interface Deployment {
  readonly dictionary: Dictionary;
  readonly document: OpenApi;
}

/**
 * @param tags of the languages to read; by default all
 * @param get what asks
 * @throws Error where the service has no such language, or does not answer
 */
export const readDeployments = async (
  origin: string,
  tags: readonly string[] | undefined,
  get: Fetch,
): Promise<readonly Deployment[]> => {
  const dictionaries = await readDictionaries(origin, get);
  const missing = tags?.find((tag) => !dictionaries.some((each) => each.tag === tag));
  if (missing !== undefined) throw new Error(`the service has no language ${missing}`);
  const wanted = dictionaries.filter(({ tag }) => tags?.includes(tag) ?? true);
  return Promise.all(
    wanted.map(async (dictionary) => {
      const response = await get(`${origin}/api/openapi.${dictionary.tag}.json`);
      if (!response.ok) throw new Error(`the OpenAPI document is answered with ${response.status}`);
      return { dictionary, document: (await response.json()) as OpenApi };
    }),
  );
};

const nameIn = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);

/** @returns the name of the type that a schema, or each item of it, refers to */
export const referredTo = (schema: Schema | undefined): string => {
  const reference = schema?.$ref ?? schema?.items?.$ref;
  if (reference === undefined) throw new Error('the OpenAPI document does not name the type of an operation');
  return nameIn(reference);
};

/** @returns an operation by its name; `undefined` where the service has none */
export const operationOf = ({ paths }: OpenApi, id: string): Operation | undefined =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((each): each is Operation => each.operationId === id);

/** @returns the parameters of an operation's query */
export const queryOf = ({ components }: OpenApi, { parameters }: Operation): readonly Parameter[] =>
  parameters
    .map((each) => ('$ref' in each ? components.parameters[nameIn(each.$ref)] : each))
    .filter((each): each is Parameter => each?.in === 'query');

/** Whether a service keeps the result of a request with an idempotency key. */
export const takesKeys = ({ paths }: OpenApi): boolean =>
  Object.values(paths).some((methods) =>
    Object.values(methods).some(({ parameters = [] }) =>
      parameters.some((each) => '$ref' in each && nameIn(each.$ref) === 'Idempotency-Key'),
    ),
  );
