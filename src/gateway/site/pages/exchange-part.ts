import { html } from 'hono/html';
import { autonymOf } from '../../locale/names.ts';
import { curl, filterBy, type Given, givenIn, indented, post } from '../content/given.ts';
import type { Site } from '../content/service.ts';
import { queryProblem, shownProblem } from '../content/shown-problem.ts';
import { commandPart, jsonPart } from './command-part.ts';
import { type Frame, folded, langOf } from './frame.ts';

/** Requests, and what the service responds to them. */
const STEPS = {
  create: (given: Given) => ({ sent: post(given, given.body), status: 201, response: indented(given.body) }),
  read: ({ item, key, body }: Given) => ({ sent: { target: item(key) }, status: 200, response: indented(body) }),
  /** A filter by a word of another language; `undefined` where all languages have the same words. */
  mistake: ({ tree, others, collection, list, foreign }: Given) => {
    if (!foreign) return undefined;
    const search = filterBy(foreign);
    const problem = queryProblem(tree, others, collection, search);
    return { sent: { target: `${list}?${search}` }, ...shownProblem(tree.language, problem) };
  },
};
type StepName = keyof typeof STEPS;

const side = (frame: Frame, step: StepName, given: Given, origin: string) => {
  const exchange = STEPS[step](given);
  if (!exchange) return undefined;
  const { sent, status, response } = exchange;
  const { tag } = given.tree.language;
  return html`
          <article class="side" aria-labelledby="${step}-${tag}">
            <h4 id="${step}-${tag}" class="name"${langOf(frame, tag)}>${autonymOf(tag)}</h4>${commandPart(frame, curl(origin, sent))}
            <p class="status">${frame.say('response')} <span class="${status < 400 ? 'good' : 'bad'}">${status}</span></p>
            <pre class="response"${langOf(frame, tag)}><code translate="no">${jsonPart(response)}</code></pre>
          </article>`;
};

const stepPart = (frame: Frame, step: StepName, inEach: readonly Given[], origin: string) => {
  const sides = inEach.flatMap((given) => side(frame, step, given, origin) ?? []);
  if (sides.length === 0) return '';
  return html`
        <section class="step" aria-labelledby="${step}">
          <h3 id="${step}">${frame.say(step)}</h3>
          <p class="about">${frame.say(`${step}-about`)}</p>
          <div class="sides">${sides}
          </div>
        </section>`;
};

/**
 * The same exchange in every language, side by side; nothing where the catalogue has no example.
 *
 * @param origin scheme and host of the service
 */
export const exchangePart = (frame: Frame, site: Site, origin: string) => {
  const inEach = site.trees.flatMap((tree) => givenIn(site, tree) ?? []);
  if (inEach.length === 0) return '';
  const steps = (['create', 'read', 'mistake'] as const).map((step) => stepPart(frame, step, inEach, origin));
  return folded(frame, 'exchange', 'exchange', html`<p class="about">${frame.say('exchange-about')}</p>${steps}`);
};
