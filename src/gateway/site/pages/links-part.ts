import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { type ServiceIndex, type Site, treeIn } from '../content/service.ts';
import { SAMPLE } from './browse-part.ts';
import { type Frame, folded, langOf } from './frame.ts';

const HEADINGS = ['collections', 'documentation', 'openapi', 'dictionary'] as const;

const link = (url: string, label = url) => html`<a href="${url}">${label}</a>`;

const row = (
  frame: Frame,
  { tag, name, collections, openapi, documentation, dictionary }: ServiceIndex['languages'][number],
  sample: string,
) => html`
            <tr><th scope="row" class="name"${langOf(frame, tag)}>${name}</th><td>${Object.values(collections).map(
              (url) => html`${link(url + sample, url)} `,
            )}</td><td>${link(documentation)}</td><td>${link(openapi)}</td><td>${link(dictionary)}</td></tr>`;

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
        <div class="scroll" role="region" aria-labelledby="links-heading" tabindex="0">
        <table>
          <thead>
            <tr><td></td>${HEADINGS.map((each) => html`<th scope="col">${frame.say(each)}</th>`)}</tr>
          </thead>
          <tbody>${languages.map((each) => row(frame, each, sampleIn(treeIn(site, each).language)))}
          </tbody>
        </table>
        </div>
        <ul>
          <li><a href="${frame.inTag(URLS.problems)}">${frame.say('problems')}</a></li>
          <li>${frame.say('health')} ${link(URLS.ready)}</li>
          <li>${frame.say('as-json')}</li>
        </ul>`,
  );
