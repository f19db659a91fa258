import { html } from 'hono/html';
import { JSON_TYPE } from '../../http/headers.ts';
import type { Tree } from '../../http/urls.ts';
import { autonymOf } from '../../locale/names.ts';
import type { Collection } from '../../model/catalogue.ts';
import { curl, indented } from '../content/curl.ts';
import { exampleItemIn, foreignWord } from '../content/example-item.ts';
import { queryProblem, shownProblem } from '../content/shown-problem.ts';
import { commandPart, jsonPart } from './command-part.ts';
import { type Frame, langOf } from './frame.ts';

/** What a command is made of: a collection in one language and in the others, and scheme and host of the service. */
interface Given {
  readonly tree: Tree;
  readonly others: readonly Tree[];
  readonly collection: Collection;
  readonly origin: string;
}

/** @returns the command that creates the first example of a collection */
export const creation = ({ tree, collection, origin }: Omit<Given, 'others'>): string => {
  const body = indented(exampleItemIn(tree, collection));
  const target = tree.paths(collection).list([]);
  return curl(origin, { method: 'POST', target, headers: { 'Content-Type': JSON_TYPE }, body });
};

/** Commands, and what the service responds to them. */
const STEPS = {
  create: (given: Given) => ({
    request: creation(given),
    status: 201,
    response: indented(exampleItemIn(given.tree, given.collection)),
  }),
  read: ({ tree, collection, origin }: Given) => ({
    request: curl(origin, { target: tree.paths(collection).item([String(collection.key.examples[0])]) }),
    status: 200,
    response: indented(exampleItemIn(tree, collection)),
  }),
  /** A filter by a word of another language; `undefined` where all languages have the same words. */
  mistake: ({ tree, others, collection, origin }: Given) => {
    const foreign = foreignWord(tree, others, collection);
    if (!foreign) return undefined;
    const search = `${encodeURIComponent(foreign.word)}=${encodeURIComponent(String(foreign.value))}`;
    const request = curl(origin, { target: `${tree.paths(collection).list([])}?${search}` });
    return { request, ...shownProblem(tree.language, queryProblem(tree, others, collection, search)) };
  },
};
type StepName = keyof typeof STEPS;

const side = (frame: Frame, step: StepName, given: Given) => {
  const exchange = STEPS[step](given);
  if (!exchange) return undefined;
  const { request, status, response } = exchange;
  const { tag } = given.tree.language;
  return html`
          <article class="side" aria-labelledby="${step}-${tag}">
            <h4 id="${step}-${tag}" class="name"${langOf(frame, tag)}>${autonymOf(tag)}</h4>${commandPart(frame, request)}
            <p class="status">${frame.say('response')} <span class="${status < 400 ? 'good' : 'bad'}">${status}</span></p>
            <pre class="response"${langOf(frame, tag)}><code translate="no">${jsonPart(response)}</code></pre>
          </article>`;
};

const stepPart = (frame: Frame, step: StepName, inEach: readonly Given[]) => {
  const sides = inEach.flatMap((given) => side(frame, step, given) ?? []);
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
 * The same exchange in every language, side by side.
 *
 * @param collection one without a parent, with an example
 * @param origin scheme and host of the service
 */
export const exchangePart = (frame: Frame, trees: readonly Tree[], collection: Collection, origin: string) => {
  const inEach = trees.map((tree, at) => ({
    tree,
    // The next language comes first, so that the foreign words are not all of the same language.
    others: [...trees.slice(at + 1), ...trees.slice(0, at)],
    collection,
    origin,
  }));
  return html`
      <section id="exchange" aria-labelledby="exchange-heading">
        <h2 id="exchange-heading">${frame.say('exchange')}</h2>
        <p class="about">${frame.say('exchange-about')}</p>${(['create', 'read', 'mistake'] as const).map((step) => stepPart(frame, step, inEach))}
      </section>`;
};
