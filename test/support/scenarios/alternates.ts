import { expect } from 'vitest';
import type { Translator } from '../language/translate.ts';
import { type Exchange, pathIn, type ScenarioContext } from './context.ts';
import { alternateTo, parsed } from './links.ts';

/** The same text that the other language would answer with, told from the scenario. */
const textIn = (
  spoken: Translator,
  {
    step: {
      target,
      expect: { body },
    },
  }: Exchange,
): string => {
  const { collection } = target;
  const list = [body ?? []].flat();
  const texts = list.map((each) => spoken.text(collection, each));
  return Array.isArray(body) ? `[${texts.join(',')}]` : (texts[0] ?? '');
};

const ownAddress = ({ step, spoken }: Exchange): string => {
  const {
    target,
    query = {},
    expect: { location },
  } = step;
  const { slash: _, ...bare } = location ?? target;
  const pairs = Object.entries(query).map(([name, value]) => [name, [value].flat().filter((each) => each !== '')]);
  return parsed(pathIn(spoken, { target: bare, query: Object.fromEntries(pairs) }));
};

/** Follows an alternate there and back: it must lead to the same in another language, and home again. */
export const checkAlternates = async ({ send, own, visitors }: ScenarioContext, exchange: Exchange): Promise<void> => {
  if (exchange.step.expect.body === undefined) return;
  for (const other of visitors(exchange)) {
    const there = alternateTo(exchange.answer, other.tag);
    expect(there, `alternate to ${other.tag}`).toBeDefined();
    const abroad = await send('GET', there ?? '');
    expect([abroad.status, abroad.headers.get('content-language')]).toEqual([200, other.tag]);
    expect(abroad.text).toBe(textIn(other, exchange));

    const back = alternateTo(abroad, own.tag);
    expect(parsed(back ?? '')).toBe(ownAddress(exchange));
    const home = await send('GET', back ?? '');
    expect([home.status, home.text]).toEqual([200, exchange.answer.text]);
  }
};

/** Follows the links of a page: each must be a page of its own language, and links back to where it came from. */
export const checkPages = async ({ send, own }: ScenarioContext, { step, answer }: Exchange): Promise<void> => {
  const { pages = {} } = step.expect;
  for (const rel of Object.keys(pages)) {
    const link = (answer.headers.get('link') ?? '').match(new RegExp(`<([^>]*)>; rel="${rel}"`))?.[1];
    const page = await send('GET', link ?? '');
    expect([page.status, page.headers.get('content-language')], rel).toEqual([200, own.tag]);
    expect(page.headers.get('x-total-count'), rel).toBe(answer.headers.get('x-total-count'));
  }
};
