/** Pages about problems: what a code means, all codes, and what a person sees whose request is refused. */
import { html } from 'hono/html';
import { problemPath, URLS } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import type { Problem, ProblemCode } from '../../texts/problem.ts';
import { atTop, explanationOf, explanationsIn, type Site, treeIn } from '../content/service.ts';
import { browsePart } from './browse-part.ts';
import { frameOf, keyPart, langOf, page, script } from './frame.ts';

const codePart = (status: number, code: string) => html`
      <p class="codes"><span class="bad">${status}</span> <code translate="no">${code}</code></p>`;

/** Writes the page that explains one problem code. @param language of the explanation; the page may be in another one */
export function problemPage(site: Site, language: Language, code: ProblemCode): Promise<string> {
  const frame = frameOf(site, problemPath(code), language);
  const { say, service, inTag } = frame;
  const { title, status, detail } = explanationOf(language, code);
  const lang = langOf(frame, language.tag);
  return page(frame, {
    title: `${title} · ${service}`,
    body: html`
    <main id="main" class="page narrow">
      <p><a href="${inTag(URLS.problems)}">${say('problems')}</a></p>
      <h1${lang}>${title}</h1>${codePart(status, code)}
      <section>
        <h2>${say('explanation')}</h2>
        <p class="lead"${lang}>${detail}</p>
      </section>
      <section>
        <h2>${say('remedy')}</h2>
        <p class="lead">${language.pages.remedy(code)}</p>
      </section>
    </main>`,
  });
}

/** Writes the page that lists all problem codes. */
export function problemsPage(site: Site, language: Language): Promise<string> {
  const frame = frameOf(site, URLS.problems, language);
  const { say, service, inTag } = frame;
  const lang = langOf(frame, language.tag);
  const rows = explanationsIn(language).map(
    ({ type, title, status, code }) => html`
            <tr><td class="integer">${status}</td><td><a href="${inTag(type)}"${lang}>${title}</a></td><td><code translate="no">${code}</code></td></tr>`,
  );
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
          <tbody>${rows}
          </tbody>
        </table>
        </div>
      </section>
    </main>`,
  });
}

/**
 * Writes the page for people whose request is refused: why, what the service is, and where to go on. Whoever lacks a key can
 * give one, and then sees the list.
 */
export function refusalPage(site: Site, language: Language, { code, detail, suggestion }: Problem): Promise<string> {
  const frame = frameOf(site, '/', language);
  const { say, service, inTag, start, documentation } = frame;
  const { title, status } = explanationOf(language, code);
  const isKeyMissing = code === 'unauthorized';
  const [first] = isKeyMissing ? atTop(site.catalogue) : [];
  const lang = langOf(frame, language.tag);
  const link = suggestion?.startsWith('/') ? html`<p><a href="${suggestion}">${suggestion}</a></p>` : '';
  return page(frame, {
    title: `${title} · ${service}`,
    head: first ? script('browse.js') : script('key.js'),
    body: html`
    <main id="main" class="page">
      <h1${lang}>${title}</h1>
      <p class="lead"${lang}>${language.say(detail)}</p>${codePart(status, code)}${link}${isKeyMissing ? keyPart(frame) : ''}
      <p class="about">${say('summary')}</p>
      <p class="actions">
        ${isKeyMissing ? '' : html`<a class="button" href="${start}">${service}</a>`}
        <a class="button quiet" href="${documentation}">${say('documentation')}</a>
        <a class="button quiet" href="${inTag(URLS.problems)}">${say('problems')}</a>
      </p>${first ? browsePart(frame, treeIn(site, language), first, true) : ''}
    </main>`,
  });
}
