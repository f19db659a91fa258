import { readFile } from 'node:fs/promises';
import { html } from 'hono/html';
import { listUrls, problemPath, URLS, writeRemedy } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import type { Problem, ProblemCode } from '../../texts/problem.ts';
import { type ItemView, type ListView, SAMPLE } from '../content/browse.ts';
import { explainProblem, explainProblems, findTree, type ServiceIndex, type Site } from '../content/service.ts';
import { type BrowseSite, itemPage, listPage } from './browse.ts';
import { createFrame, type Frame, keyForm, link, markLanguage, page, script } from './frame.ts';

const browser = new URL('browser/', import.meta.url);

/** An archive contains files of Swagger UI; the repository has its package. */
export function readAsset(name: string): Promise<Buffer<ArrayBuffer>> {
  if (!name.startsWith('swagger-ui')) return readFile(new URL(name, browser));
  return readFile(new URL(`swagger-ui/${name}`, browser)).catch(() =>
    readFile(new URL(name, import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
  );
}

/** Lists are limited, because a browser should not load all of one. */
function linksItem(frame: Frame, site: Site, own: ServiceIndex['languages'][number]) {
  const { say } = frame;
  const { parameters } = findTree(site, own).language;
  const sample = `?${encodeURIComponent(parameters.word('number_of_elements'))}=${SAMPLE}`;
  const lists = Object.values(own.collections).map((url) => html`<a href="${url + sample}" dir="ltr">${url}</a> · `);
  return html`
          <li><span${markLanguage(frame, own.tag)}>${own.name}</span>: ${lists}${link(own.documentation, say('documentation'))} · ${link(own.openapi, say('openapi'))} · ${link(own.dictionary, say('dictionary'))}</li>`;
}

const linksSection = (frame: Frame, site: Site, { languages }: ServiceIndex) => html`
      <details class="fold">
        <summary><h2>${frame.say('trees')}</h2></summary>
        <ul>${languages.map((language) => linksItem(frame, site, language))}
          <li>${link(frame.inTag(URLS.problems), frame.say('problems'))}</li>
          ${frame.isMounted ? '' : html`<li>${frame.say('health')} ${link(URLS.ready)}</li>`}
          <li>${frame.say('as-json')}</li>
        </ul>
      </details>`;

/** Writes the page at the root: a list of the catalogue, or one of its items. */
export function indexPage(site: BrowseSite, path: string, view: ListView | ItemView, index: ServiceIndex) {
  if (!('items' in view)) return itemPage(site, path, view);
  return listPage(site, path, view, index, (frame) => linksSection(frame, site, index));
}

/** Writes Swagger UI on one language's document. Its script reads its data from attributes, because inline scripts are forbidden. */
export function docsPage(site: BrowseSite, language: Language): Promise<string> {
  const frame = createFrame(URLS.documentation, site, language);
  const { say, text, service, inTag, assets } = frame;
  const { openapi } = listUrls(language);
  const { labels } = language.pages;
  const errors = `[${text('problems')}](${inTag(URLS.problems)})`;
  const body = html`
    <main id="main" class="page">
      <h1>${say('documentation')}</h1>
      <p class="lead">${say('try-out')}</p>
      <p>${link(openapi, say('openapi'))}</p>
      ${site.access === 'open' ? '' : keyForm(frame)}
      <noscript><p>${say('needs-script')} ${link(openapi)}</p></noscript>
      <div id="swagger-ui"${markLanguage(frame, language.documents.tag)} data-openapi="${openapi}" data-labels="${JSON.stringify(labels)}" data-errors="${errors}"><p>${labels.loading ?? ''}</p></div>
    </main>`;
  return page(
    frame,
    `${text('documentation')} · ${service}`,
    body,
    html`<link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="stylesheet" href="${assets}/docs.css">
    <script src="${assets}/swagger-ui-bundle.js" defer></script>
    ${script(frame, 'docs.js')}`,
  );
}

const codeLine = (status: number, code: string) => html`
      <p class="codes"><span class="bad">${status}</span> <code translate="no">${code}</code></p>`;

/** The explanation may be in another language than the page. */
export function problemPage(site: Site, language: Language, code: ProblemCode): Promise<string> {
  const frame = createFrame(problemPath(code), site, language);
  const { say, service, inTag } = frame;
  const { title, status, detail } = explainProblem(language, code);
  const mark = (text: string) => markLanguage(frame, language.tagAt(`problems.${code}.${text}`));
  const body = html`
    <main id="main" class="page narrow">
      <p>${link(inTag(URLS.problems), say('problems'))}</p>
      <h1${mark('title')}>${title}</h1>${codeLine(status, code)}
      <section>
        <h2>${say('explanation')}</h2>
        <p class="lead"${mark('explanation')}>${detail}</p>
      </section>
      <section>
        <h2>${say('remedy')}</h2>
        <p class="lead"${mark('remedy')}>${writeRemedy(language, code)}</p>
      </section>
    </main>`;
  return page(frame, `${title} · ${service}`, body);
}

export function problemsPage(site: Site, language: Language): Promise<string> {
  const frame = createFrame(URLS.problems, site, language);
  const { say, service, inTag } = frame;
  const rows = explainProblems(language).map(
    ({ title, status, code }) => html`
            <tr><td class="integer">${status}</td><td><a href="${inTag(problemPath(code))}"${markLanguage(frame, language.tagAt(`problems.${code}.title`))}>${title}</a></td><td><code translate="no">${code}</code></td></tr>`,
  );
  const body = html`
    <main id="main" class="page narrow">
      <h1>${say('problems')}</h1>
      <p class="lead">${say('problems-about')}</p>
      <section>
        <div class="scroll" role="region" aria-label="${frame.text('problems')}" tabindex="0">
        <table class="codes">
          <thead>
            <tr><th scope="col" class="integer">${say('status')}</th><th scope="col">${say('meaning')}</th><th scope="col">${say('code')}</th></tr>
          </thead>
          <tbody>${rows}
          </tbody>
        </table>
        </div>
      </section>
    </main>`;
  return page(frame, `${frame.text('problems')} · ${service}`, body);
}

/** Writes the page for people whose request is refused. With a key, the script loads the page that was refused. */
export function refusalPage(site: Site, language: Language, { code, detail, suggestion }: Problem): Promise<string> {
  const frame = createFrame('/', site, language);
  const { say, service, inTag } = frame;
  const { title, status } = explainProblem(language, code);
  const isKeyMissing = code === 'unauthorized';
  const body = html`
    <main id="main" class="page" tabindex="-1"${isKeyMissing ? html` data-refused` : ''}>
      <h1${markLanguage(frame, language.tagAt(`problems.${code}.title`))}>${title}</h1>
      <p class="lead"${markLanguage(frame, language.tagAt(`phrases.${detail.phrase}`))}>${language.format(detail)}</p>${codeLine(status, code)}${suggestion?.startsWith('/') ? html`<p>${link(suggestion)}</p>` : ''}${isKeyMissing ? keyForm(frame) : ''}
      <p class="about">${say('summary')}</p>
      <p class="actions">
        ${isKeyMissing ? '' : html`<a class="button" href="${inTag(frame.home)}">${say('title')}</a>`}
        <a class="button quiet" href="${listUrls(language).documentation}">${say('documentation')}</a>
        <a class="button quiet" href="${inTag(URLS.problems)}">${say('problems')}</a>
      </p>
    </main>`;
  return page(frame, `${title} · ${service}`, body, script(frame, 'browse.js'));
}
