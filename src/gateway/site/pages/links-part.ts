import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { type ServiceIndex, type Site, treeIn } from '../content/service.ts';
import { SAMPLE } from './browse-part.ts';
import { type Frame, folded, langOf } from './frame.ts';

const link = (url: string, label = url) => html`<a href="${url}">${label}</a>`;

const card = (
  frame: Frame,
  { tag, name, collections, openapi, documentation, dictionary }: ServiceIndex['languages'][number],
  sample: string,
) => html`
          <section class="card" aria-labelledby="language-${tag}">
            <h3 id="language-${tag}" class="name"${langOf(frame, tag)}>${name}</h3>
            <dl>
              <dt>${frame.say('collections')}</dt>
              ${Object.values(collections).map((url) => html`<dd>${link(url + sample, url)}</dd>`)}
              <dt>${frame.say('documentation')}</dt>
              <dd>${link(documentation)}</dd>
              <dt>${frame.say('openapi')}</dt>
              <dd>${link(openapi)}</dd>
              <dt>${frame.say('dictionary')}</dt>
              <dd>${link(dictionary)}</dd>
            </dl>
          </section>`;

/** @returns the query, in the words of a language, that limits a list: a browser should not load all of it */
const sampleIn = ({ parameters }: Language): string =>
  `?${encodeURIComponent(parameters.word('number_of_elements'))}=${SAMPLE}`;

/** Where everything is, in each language and for all of them. */
export const linksPart = (frame: Frame, site: Site, { languages }: ServiceIndex) =>
  folded(
    frame,
    'links',
    'trees',
    html`
        <div class="cards">${languages.map((each) => card(frame, each, sampleIn(treeIn(site, each).language)))}
        </div>
        <ul class="links">
          <li><a href="${frame.inTag(URLS.problems)}">${frame.say('problems')}</a></li>
          <li>${frame.say('health')} ${link(URLS.ready)}</li>
          <li>${frame.say('as-json')}</li>
        </ul>`,
  );
