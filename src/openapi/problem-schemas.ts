import { problemPath } from '../http/urls.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';
import { type Context, type Json, ref } from './context.ts';

/** Where an answer comes from: one tree, which speaks one language, or an address that belongs to none. */
export type Scope = 'tree' | 'neutral';

const PLACE_KINDS = ['pointer', 'parameter', 'header'] as const;
type PlaceKind = (typeof PLACE_KINDS)[number];

/** What the errors of a code point at; codes that are not here have none. */
const PLACES: Readonly<Partial<Record<ProblemCode, PlaceKind>>> = {
  'unknown-parameter': 'parameter',
  'invalid-parameter': 'parameter',
  'invalid-query': 'parameter',
  'unknown-field': 'pointer',
  'missing-field': 'pointer',
  'invalid-value': 'pointer',
  'invalid-body': 'pointer',
  'not-acceptable': 'header',
  'unsupported-media-type': 'header',
};

/** Of a problem whose errors have codes of their own. */
const SEVERAL: readonly ProblemCode[] = ['invalid-query', 'invalid-body'];

const ALL_CODES = Object.keys(problems) as readonly ProblemCode[];

/** @returns the name of a problem's components: `not-found`, and `not-found.neutral` outside the trees */
export const nameOf = (name: string, scope: Scope): string => (scope === 'tree' ? name : `${name}.neutral`);

const suggestionOf = ({ say }: Context): Json => ({
  suggestion: { type: 'string', description: say('member-suggestion') },
});

const errorSchema = (context: Context, kind: PlaceKind): Json => {
  const codes = ALL_CODES.filter((code) => PLACES[code] === kind && !SEVERAL.includes(code));
  return {
    type: 'object',
    properties: {
      [kind]: { type: 'string', description: context.say(`member-${kind}`) },
      code: { type: 'string', enum: codes, description: context.say('member-code') },
      detail: { type: 'string', description: context.say('member-error-detail') },
      ...suggestionOf(context),
    },
    required: [kind, 'code', 'detail'],
    additionalProperties: false,
  };
};

const errorsOf = (context: Context, items: Json): Json => ({
  type: 'array',
  description: context.say('member-errors'),
  minItems: 1,
  maxItems: 100,
  items,
});

/** Members that every problem has, of which a code fixes some. */
const membersOf = ({ say }: Context, fixed: Readonly<Record<string, Json>>): Json => ({
  type: { type: 'string', description: say('member-type'), ...fixed.type },
  title: { type: 'string', description: say('member-title'), ...fixed.title },
  status: { type: 'integer', description: say('member-status'), ...fixed.status },
  code: { type: 'string', description: say('member-code'), ...fixed.code },
  detail: { type: 'string', description: say('member-detail') },
  requestId: { type: 'string', description: say('member-request-id') },
});

const schemaOf = (description: string, properties: Json, ...more: readonly string[]): Json => ({
  type: 'object',
  description,
  properties,
  required: ['type', 'title', 'status', 'code', 'detail', 'requestId', ...more],
  additionalProperties: false,
});

const codeSchema = (context: Context, code: ProblemCode, scope: Scope): Json => {
  const { title, explanation } = context.tree.language.problem(code);
  const place = PLACES[code];
  const properties = {
    ...membersOf(context, {
      type: { const: problemPath(code) },
      // Outside the trees the title is in the language that was asked for.
      title: scope === 'tree' ? { const: title } : { examples: [title] },
      status: { const: problems[code] },
      code: { const: code },
    }),
    ...(place ? { errors: errorsOf(context, ref('schemas', `error.${place}`)) } : {}),
    ...(code === 'no-such-path' ? suggestionOf(context) : {}),
  };
  return schemaOf(explanation, properties, ...(place ? ['errors'] : []));
};

/** Codes that no operation lists: of paths and methods that there are not, or that the future may bring. */
const otherSchema = (context: Context, codes: readonly ProblemCode[]): Json =>
  schemaOf(context.say('answer-problem'), {
    ...membersOf(context, { code: { enum: codes } }),
    ...suggestionOf(context),
    errors: errorsOf(context, { oneOf: PLACE_KINDS.map((kind) => ref('schemas', `error.${kind}`)) }),
  });

/** Any problem, and which one its code tells. */
const anySchemas = (context: Context, used: Used, scope: Scope): Json => {
  const listed = used.filter(([, each]) => each === scope).map(([code]) => code);
  const others = ALL_CODES.filter((code) => !listed.includes(code));
  return {
    [nameOf('problem', scope)]: {
      oneOf: [...listed.map((code) => nameOf(code, scope)), nameOf('other', scope)].map((name) => ref('schemas', name)),
    },
    [nameOf('other', scope)]: otherSchema(context, others),
  };
};

/** Codes with the scopes in which operations answer with them. */
export type Used = readonly (readonly [code: ProblemCode, scope: Scope])[];

export const problemSchemas = (context: Context, used: Used): Json => ({
  ...Object.fromEntries(used.map(([code, scope]) => [nameOf(code, scope), codeSchema(context, code, scope)])),
  ...anySchemas(context, used, 'tree'),
  ...anySchemas(context, used, 'neutral'),
  ...Object.fromEntries(PLACE_KINDS.map((kind) => [`error.${kind}`, errorSchema(context, kind)])),
});
