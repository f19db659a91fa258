import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { curl, givenIn, post } from '../content/given.ts';
import { atTop, type ServiceIndex, type Site, treeIn } from '../content/service.ts';
import { browsePart } from './browse-part.ts';
import { exchangePart } from './exchange-part.ts';
import { frameOf, page } from './frame.ts';
import { linksPart } from './links-part.ts';
import { wordsPart } from './words-part.ts';

const script = (name: string) => html`<script type="module" src="${URLS.assets}/${name}"></script>`;

/**
 * The page at the root.
 *
 * @param path the page's own
 * @param origin scheme and host of the service
 */
export const indexPage = (
  site: Site,
  path: string,
  language: Language,
  index: ServiceIndex,
  origin: string,
): Promise<string> => {
  const frame = frameOf(site, path, language);
  const { say, documentation } = frame;
  const tree = treeIn(site, language);
  const tops = atTop(site.catalogue);
  const totals = tops.map((each) => language.pages.total(each, index.totals[each.name] ?? 0));
  const [first] = tops;
  const given = givenIn(site, tree);
  const creation = given && curl(origin, post(given, given.body));
  return page(frame, {
    title: index.title,
    head: html`${script('copy.js')}${
      first
        ? html`
    ${script('browse.js')}`
        : ''
    }`,
    body: html`
    <main id="main" class="page">
      <div class="hero">
        <h1>${index.title}</h1>
        <p class="lead">${index.description}</p>
        <p class="totals">${totals.join(' · ')}</p>
        <p class="actions">
          <a class="button" href="${documentation}">${say('documentation')}</a>
          ${first ? html`<a class="button quiet" href="#browse">${say('browse')}</a>` : ''}
          <a class="button quiet" href="#words">${say('words')}</a>
        </p>
      </div>${exchangePart(frame, site, origin)}${wordsPart(frame, site, language)}${first ? browsePart(frame, tree, first, creation) : ''}${linksPart(frame, site, index)}
    </main>`,
  });
};
