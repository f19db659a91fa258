import { html } from 'hono/html';
import { problemPath, URLS } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import type { ProblemCode } from '../../texts/problem.ts';
import type { Example } from '../content/given.ts';
import { curl } from '../content/given.ts';
import { exampleOf } from '../content/problem-examples.ts';
import { type Explanation, explanationOf, explanationsIn, type Site } from '../content/service.ts';
import { shownProblem } from '../content/shown-problem.ts';
import { commandPart, jsonPart } from './command-part.ts';
import { type Frame, frameOf, langOf, page, script } from './frame.ts';

const examplePart = (frame: Frame, language: Language, { sent, problem }: Example, origin: string) => {
  const { status, response } = shownProblem(language, problem);
  return html`
      <section>
        <h2>${frame.say('example')}</h2>
        <div class="side">${sent ? commandPart(frame, curl(origin, sent)) : ''}
          <p class="status">${frame.say('response')} <span class="bad">${status}</span></p>
          <pre class="response"${langOf(frame, language.tag)}><code translate="no">${jsonPart(response)}</code></pre>
        </div>
      </section>`;
};

/**
 * The page that explains one problem code.
 *
 * @param language of the explanation and the example; the page may be in another one
 */
export const problemPage = (site: Site, language: Language, code: ProblemCode, origin: string): Promise<string> => {
  const frame = frameOf(site, problemPath(code), language);
  const { say, service, inTag } = frame;
  const { title, status, detail } = explanationOf(language, code);
  const { tag } = language;
  const example = exampleOf(code, site, language);
  return page(frame, {
    title: `${title} · ${service}`,
    head: script('copy.js'),
    body: html`
    <main id="main" class="page narrow">
      <p><a href="${inTag(URLS.problems)}">${say('problems')}</a></p>
      <h1${langOf(frame, tag)}>${title}</h1>
      <p class="codes"><span class="bad">${status}</span> <code translate="no">${code}</code></p>
      <section>
        <h2>${say('explanation')}</h2>
        <p class="lead"${langOf(frame, tag)}>${detail}</p>
      </section>
      <section>
        <h2>${say('remedy')}</h2>
        <p class="lead">${language.pages.remedy(code)}</p>
      </section>${example ? examplePart(frame, language, example, origin) : ''}
    </main>`,
  });
};

const row = (frame: Frame, tag: string, { type, title, status, code }: Explanation) => html`
            <tr><td class="integer">${status}</td><td><a href="${frame.inTag(type)}"${langOf(frame, tag)}>${title}</a></td><td><code translate="no">${code}</code></td></tr>`;

/** The page that lists all problem codes. */
export const problemsPage = (site: Site, language: Language): Promise<string> => {
  const frame = frameOf(site, URLS.problems, language);
  const { say, service } = frame;
  return page(frame, {
    title: `${say('problems')} · ${service}`,
    body: html`
    <main id="main" class="page narrow">
      <h1>${say('problems')}</h1>
      <p class="lead">${say('problems-about')}</p>
      <section>
        <div class="scroll" role="region" aria-label="${say('problems')}" tabindex="0">
        <table class="codes">
          <thead>
            <tr><th scope="col" class="integer">${say('status')}</th><th scope="col">${say('meaning')}</th><th scope="col">${say('code')}</th></tr>
          </thead>
          <tbody>${explanationsIn(language).map((each) => row(frame, language.tag, each))}
          </tbody>
        </table>
        </div>
      </section>
    </main>`,
  });
};
