import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import { commandPart, jsonPart } from './command-part.ts';
import { type Frame, langOf, page } from './frame.ts';

/** The explanation of a code. */
interface Explanation {
  /** The URL of its explanation. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

export interface ProblemExample {
  /** A command, if one request is enough. */
  readonly request: string | undefined;
  readonly status: number;
  readonly response: string;
}

interface Explained extends Explanation {
  /** The language of the explanation and the example; the page may be in another one. */
  readonly tag: string;
  readonly remedy: string;
  readonly example: ProblemExample | undefined;
}

const examplePart = (frame: Frame, tag: string, { request, status, response }: ProblemExample) => html`
      <section>
        <h2>${frame.say('example')}</h2>
        <div class="side">${request === undefined ? '' : commandPart(frame, request)}
          <p class="status">${frame.say('response')} <span class="bad">${status}</span></p>
          <pre class="response"${langOf(frame, tag)}><code translate="no">${jsonPart(response)}</code></pre>
        </div>
      </section>`;

/** The page that explains one problem code. */
export const problemPage = (frame: Frame, explained: Explained): Promise<string> => {
  const { say, service, inTag } = frame;
  const { tag, title, status, code, detail, remedy, example } = explained;
  return page(frame, {
    title: `${title} · ${service}`,
    head: html`<script type="module" src="${URLS.assets}/copy.js"></script>`,
    body: html`
    <main class="page narrow">
      <p><a href="${inTag(URLS.problems)}">${say('problems')}</a></p>
      <h1${langOf(frame, tag)}>${title}</h1>
      <p class="codes"><span class="bad">${status}</span> <code translate="no">${code}</code></p>
      <section>
        <h2>${say('explanation')}</h2>
        <p class="lead"${langOf(frame, tag)}>${detail}</p>
      </section>
      <section>
        <h2>${say('remedy')}</h2>
        <p class="lead">${remedy}</p>
      </section>${example ? examplePart(frame, tag, example) : ''}
    </main>`,
  });
};

const row = (frame: Frame, tag: string, { type, title, status, code }: Explanation) => html`
            <tr><td class="integer">${status}</td><td><a href="${frame.inTag(type)}"${langOf(frame, tag)}>${title}</a></td><td><code translate="no">${code}</code></td></tr>`;

/**
 * The page that lists all problem codes.
 *
 * @param tag the language of their titles
 */
export const problemsPage = (frame: Frame, tag: string, all: readonly Explanation[]): Promise<string> => {
  const { say, service } = frame;
  return page(frame, {
    title: `${say('problems')} · ${service}`,
    body: html`
    <main class="page narrow">
      <h1>${say('problems')}</h1>
      <p class="lead">${say('problems-about')}</p>
      <section>
        <div class="scroll" role="region" aria-label="${say('problems')}" tabindex="0">
        <table class="codes">
          <thead>
            <tr><th scope="col" class="integer">${say('status')}</th><th scope="col">${say('meaning')}</th><th scope="col">${say('code')}</th></tr>
          </thead>
          <tbody>${all.map((each) => row(frame, tag, each))}
          </tbody>
        </table>
        </div>
      </section>
    </main>`,
  });
};
