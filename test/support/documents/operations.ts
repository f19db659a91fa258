import { type Document, type Documents, resolved } from './documents.ts';
import { DOCUMENTED_METHODS } from './tree.ts';

/** An operation as a document describes it. */
export interface Operation {
  readonly document: Document;
  /** `undefined` outside the trees. */
  readonly tag: string | undefined;
  readonly id: string;
  readonly method: string;
  /** Its template. */
  readonly path: string;
  /** The parameters that it must have, with a value of each. */
  readonly query: string;
  /** Of a body that is accepted; empty where that is a file. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
  /** Statuses with the codes that each can bring; `undefined` for those that are no problem. */
  readonly answers: readonly (readonly [status: string, code: string | undefined])[];
}

const answersOf = (responses: Document): Operation['answers'] =>
  Object.entries<Document>(responses)
    .filter(([status]) => status !== 'default')
    .flatMap(([status, { 'x-codes': codes = [undefined] }]) =>
      codes.map((code: string | undefined) => [status, code] as const),
    );

const exampleOf = ({ content }: Document): Operation['example'] =>
  Object.values<Document>(content['application/json']?.examples ?? {})[0]?.value ?? {};

/** Only what belongs to no language is asked for one. */
const isNeutral = (operation: Document): boolean =>
  operation.parameters.some(({ $ref }: Document) => $ref.endsWith('/Accept-Language'));

/** @returns every operation of every language, those of none once */
export const operationsOf = (documents: Documents): readonly Operation[] => {
  const all = [...documents].flatMap(([tag, document]) =>
    Object.entries<Document>(document.paths).flatMap(([path, item]) =>
      DOCUMENTED_METHODS.filter((method) => item[method]).map((method): Operation => {
        const { operationId: id, responses, requestBody, parameters } = item[method];
        return {
          document,
          tag: isNeutral(item[method]) ? undefined : tag,
          id,
          method: method.toUpperCase(),
          path,
          query: parameters
            .map((each: Document) => resolved(document, each))
            .filter((each: Document) => each.in === 'query' && each.required)
            .map(({ name, schema }: Document) => `${name}=${(schema.anyOf?.[0] ?? schema).enum?.[0] ?? 0}`)
            .join('&'),
          example: requestBody && exampleOf(requestBody),
          answers: answersOf(responses),
        };
      }),
    ),
  );
  return [...new Map(all.map((operation) => [`${operation.tag} ${operation.id}`, operation])).values()];
};
