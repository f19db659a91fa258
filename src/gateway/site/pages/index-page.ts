import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { atTop, type ServiceIndex, type Site, treeIn } from '../content/service.ts';
import { browsePart, SAMPLE } from './browse-part.ts';
import { type Frame, frameOf, langOf, page, script } from './frame.ts';

const HEADINGS = ['collections', 'documentation', 'openapi', 'dictionary'] as const;

const link = (url: string, label = url) => html`<a href="${url}">${label}</a>`;

/** Where everything is in one language. Lists are limited, because a browser should not load all of one. */
function linksOfLanguage(frame: Frame, site: Site, own: ServiceIndex['languages'][number]) {
  const { parameters } = treeIn(site, own).language;
  const sample = `?${encodeURIComponent(parameters.word('number_of_elements'))}=${SAMPLE}`;
  const lists = Object.values(own.collections).map((url) => html`${link(url + sample, url)} `);
  const cells = [lists, link(own.documentation), link(own.openapi), link(own.dictionary)];
  return html`
            <tr><th scope="row" class="name"${langOf(frame, own.tag)}>${own.name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
}

/** Where everything is, in each language and for all of them; folded up until somebody asks for it. */
const linksPart = (frame: Frame, site: Site, { languages }: ServiceIndex) => html`
      <details class="fold">
        <summary><h2 id="links-heading">${frame.say('trees')}</h2></summary>
        <div class="scroll" role="region" aria-labelledby="links-heading" tabindex="0">
        <table>
          <thead>
            <tr><td></td>${HEADINGS.map((each) => html`<th scope="col">${frame.say(each)}</th>`)}</tr>
          </thead>
          <tbody>${languages.map((each) => linksOfLanguage(frame, site, each))}
          </tbody>
        </table>
        </div>
        <ul>
          <li>${link(frame.inTag(URLS.problems), frame.say('problems'))}</li>
          <li>${frame.say('health')} ${link(URLS.ready)}</li>
          <li>${frame.say('as-json')}</li>
        </ul>
      </details>`;

/**
 * Writes the page at the root: what the service is, the first list as a table, and where everything is.
 *
 * @param path the page's own
 */
export function indexPage(site: Site, path: string, language: Language, index: ServiceIndex): Promise<string> {
  const frame = frameOf(site, path, language);
  const tops = atTop(site.catalogue);
  const totals = tops.map((each) => language.pages.total(each, index.totals[each.name] ?? 0));
  const [first] = tops;
  return page(frame, {
    title: index.title,
    head: first && script('browse.js'),
    body: html`
    <main id="main" class="page">
      <div class="hero">
        <h1>${index.title}</h1>
        <p class="lead">${index.description}</p>
        <p class="totals">${totals.join(' · ')}</p>
        <p class="actions"><a class="button" href="${frame.documentation}">${frame.say('documentation')}</a></p>
      </div>${first ? browsePart(frame, treeIn(site, language), first) : ''}${linksPart(frame, site, index)}
    </main>`,
  });
}
