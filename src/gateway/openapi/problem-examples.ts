import { problemPath } from '../http/urls.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import { kindOf } from '../model/kinds/kinds.ts';
import { type Sentence, sentence } from '../texts/phrase.ts';
import { type ProblemCode, problems } from '../texts/problem.ts';
import type { Context, Json } from './shared/context.ts';

/** An identifier such as nanoid makes. */
const REQUEST_ID = 'V1StGXR8_Z5jdHi6B-myT';

/** What differs between problems with the same code. */
interface Particulars {
  readonly detail: string;
  readonly errors?: readonly Json[];
}

/** Problems of a body of the first collection, as the service responds with them. */
const ofBodies = ({ tree: { language } }: Context, top: Collection): Partial<Record<ProblemCode, Particulars>> => {
  const { word } = language.fields(top);
  const errorOf = (code: ProblemCode, { name }: Field, detail: Sentence) => ({
    pointer: `/${word(name).replaceAll('~', '~0')}`,
    code,
    name,
    detail: language.say(detail),
    remedy: language.remedy(code),
  });
  const optional = top.fields.find((field) => !field.isKey && !field.required);
  const required = top.fields.find((field) => field.required);
  if (!optional || !required) return {};

  const values = { word: word(optional.name), min: optional.min, max: optional.max };
  const invalid = errorOf('invalid-value', optional, { phrase: kindOf(optional).expected, values });
  const missing = errorOf('missing-field', required, sentence('field-missing', { word: word(required.name) }));
  const both = sentence('body-errors', { count: 2, of: language.nouns(top).of });
  return {
    'invalid-value': { detail: invalid.detail, errors: [invalid] },
    'missing-field': { detail: missing.detail, errors: [missing] },
    'invalid-body': { detail: language.say(both), errors: [invalid, missing] },
  };
};

/** An example for each code. Where the detail would depend on a request, it is the code's general explanation. */
export const problemExamples = (context: Context): Json => {
  const { language } = context.tree;
  const [top] = context.catalogue;
  const particular = top ? ofBodies(context, top) : {};
  return Object.fromEntries(
    (Object.keys(problems) as ProblemCode[]).map((code) => {
      const { title, explanation } = language.problem(code);
      const { detail = explanation, errors } = particular[code] ?? {};
      const head = { type: problemPath(code), title, status: problems[code], code, detail, requestId: REQUEST_ID };
      return [code, { value: errors ? { ...head, errors } : { ...head, remedy: language.remedy(code) } }];
    }),
  );
};
