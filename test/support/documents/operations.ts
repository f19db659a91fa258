import { WITHOUT_CONTENT } from './check.ts';
import { type Document, type Documents, resolved } from './documents.ts';
import { METHODS } from './tree.ts';

/** An operation as a document describes it. */
export interface Operation {
  readonly document: Document;
  /** `undefined` outside the trees. */
  readonly tag: string | undefined;
  readonly id: string;
  readonly method: string;
  /** Its template. */
  readonly path: string;
  /** Of a body that is accepted. */
  readonly example: Readonly<Record<string, unknown>> | undefined;
  /** Statuses with the codes that each can bring; `undefined` for those that are no problem. */
  readonly answers: readonly (readonly [status: string, code: string | undefined])[];
}

const codesOf = (document: Document, response: Document): readonly (string | undefined)[] => {
  const schema = response.content?.['application/problem+json']?.schema;
  if (!schema) return [undefined];
  const alternatives: readonly Document[] = schema.oneOf ?? [schema];
  return alternatives.map((each) => resolved(document, each).properties.code.const);
};

const answersOf = (document: Document, responses: Document): Operation['answers'] =>
  Object.entries<Document>(responses)
    .filter(([status]) => status !== 'default')
    .flatMap(([status, response]) =>
      codesOf(document, resolved(document, response)).map((code) => [status, code] as const),
    );

/** Only what belongs to no language is asked for one. */
const isNeutral = (operation: Document): boolean =>
  operation.parameters.some(({ $ref }: Document) => $ref.endsWith('/Accept-Language'));

/** @returns every operation of every language, those of none once */
export const operationsOf = (documents: Documents): readonly Operation[] => {
  const all = [...documents].flatMap(([tag, document]) =>
    Object.entries<Document>(document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method): Operation => {
        const { operationId: id, responses, requestBody } = item[method];
        const answers = answersOf(document, responses);
        return {
          document,
          tag: isNeutral(item.get) ? undefined : tag,
          id,
          method: method.toUpperCase(),
          path,
          example: requestBody?.content['application/json'].example,
          // What the GET beside it can bring, which says no code without content.
          answers: method === 'head' ? answersOf(document, item.get.responses) : answers,
        };
      }),
    ),
  );
  return [...new Map(all.map((operation) => [`${operation.tag} ${operation.id}`, operation])).values()];
};

/** @returns the code that an answer of an operation is known by */
export const codeIn = ({ method }: Operation, code: string | undefined): string | undefined =>
  code !== undefined && method === 'HEAD' ? WITHOUT_CONTENT : code;
