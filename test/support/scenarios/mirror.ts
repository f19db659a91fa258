import { expect } from 'vitest';
import { assertSaysTheSame, type Spoken } from '../../../kit/src/same.ts';
import type { Translator } from '../language/translate.ts';
import { checkAnswer } from './check.ts';
import { type Exchange, pathIn, perform, type ScenarioContext } from './context.ts';
import type { Step } from './scenario.ts';

/** A refusal changes nothing, so it can be asked for again. */
const isRepeatable = ({ method, expect: { status } }: Step): boolean =>
  method === 'GET' || method === 'OPTIONS' || status >= 400;

/** The request that shows in another language what a step did. */
const mirrored = (step: Step): Step => {
  if (isRepeatable(step)) return step;
  const {
    target,
    expect: { status, body, location = target },
  } = step;
  if (status === 204) {
    const of = target.collection;
    return { method: 'GET', target, expect: { status: 404, code: 'not-found', missing: of } };
  }
  return { method: 'GET', target: location, expect: { status: 200, ...(body === undefined ? {} : { body }) } };
};

const everyoneBut = ({ own, others }: ScenarioContext, spoken: Translator): readonly Translator[] =>
  [own, ...others].filter((each) => each !== spoken);

const saidIn = ({ dictionaryOf }: ScenarioContext, { step, spoken, answer }: Exchange): Spoken => {
  const { status, headers, text, json } = answer;
  const url = pathIn(spoken, step);
  return {
    answer: { url, status, headers: Object.fromEntries(headers), body: json ?? text },
    language: dictionaryOf(spoken),
  };
};

/** After a step, another language must show the same; what can be asked for again must be answered alike. */
export const checkMirrors = async (context: ScenarioContext, exchange: Exchange): Promise<void> => {
  const { own, others, dictionaryOf } = context;
  for (const spoken of context.visitors(exchange)) {
    const mirror = await perform(context, spoken, mirrored(exchange.step));
    checkAnswer(everyoneBut(context, spoken), mirror);
    if (isRepeatable(exchange.step))
      assertSaysTheSame(saidIn(context, exchange), saidIn(context, mirror), [own, ...others].map(dictionaryOf));
  }
};

/** The other slash form, and HEAD, must answer as a GET did. */
export const checkTwins = async (context: ScenarioContext, { step, spoken, answer }: Exchange): Promise<void> => {
  const {
    method,
    target,
    headers,
    expect: { status },
  } = step;
  if (method !== 'GET' || status !== 200) return;
  const { slash, ...bare } = target;
  const twin = { ...step, target: slash ? bare : ({ ...target, slash: true } as const) };
  const same = await context.send('GET', pathIn(spoken, twin), undefined, headers);
  expect([same.status, same.text, headersOf(same.headers)]).toEqual([200, answer.text, headersOf(answer.headers)]);

  const head = await context.send('HEAD', pathIn(spoken, step), undefined, headers);
  expect([head.status, head.text, headersOf(head.headers)]).toEqual([200, '', headersOf(answer.headers)]);
};

/** PATCH must answer as the PUT with the same body did; only PATCH has the new entity tag, and says what it reads. */
export const checkPatches = async (context: ScenarioContext, { step, spoken, answer }: Exchange): Promise<void> => {
  const { status } = step.expect;
  if (step.method !== 'PUT' || status === 405) return;
  const { answer: patched } = await perform(context, spoken, { ...step, method: 'PATCH' });
  const { etag, 'accept-patch': types, ...headers } = headersOf(patched.headers);
  expect([patched.status, patched.text, headers]).toEqual([status, answer.text, headersOf(answer.headers)]);
  expect(types).toBe(status === 415 ? 'application/merge-patch+json, application/json' : undefined);
  const tag = status === 200 ? (await context.send('HEAD', pathIn(spoken, step))).headers.get('etag') : undefined;
  expect(etag).toBe(tag);
};

/** Without the length, which a HEAD of a list may leave out. */
const headersOf = (headers: Headers): Readonly<Record<string, string>> => {
  const { 'content-length': _, ...rest } = Object.fromEntries(headers);
  return rest;
};
