import { html } from 'hono/html';
import type { Language } from '../../locale/language.ts';
import { givenIn } from '../content/given.ts';
import { atTop, type ServiceIndex, type Site, treeIn } from '../content/service.ts';
import { browsePart } from './browse-part.ts';
import { exchangePart } from './exchange-part.ts';
import { frameOf, page, script } from './frame.ts';
import { linksPart } from './links-part.ts';
import { wordsPart } from './words-part.ts';

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
          <a class="button quiet" href="#words">${say('words')}</a>
        </p>
      </div>${first ? browsePart(frame, tree, first, { hasExample: givenIn(site, tree) !== undefined }) : ''}${exchangePart(frame, site, origin)}${wordsPart(frame, site, language)}${linksPart(frame, site, index)}
    </main>`,
  });
};
