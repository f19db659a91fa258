import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import type { Frame } from './frame.ts';
import { langOf } from './frame.ts';

/** The URLs of one language. */
export interface LanguageIndex {
  readonly tag: string;
  /** Its name in its own language. */
  readonly name: string;
  /** URLs of the collections without a parent. */
  readonly collections: Readonly<Record<string, string>>;
  readonly openapi: string;
  readonly documentation: string;
  readonly dictionary: string;
}

const link = (url: string, label = url) => html`<a href="${url}">${label}</a>`;

const card = (
  frame: Frame,
  { tag, name, collections, openapi, documentation, dictionary }: LanguageIndex,
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

/**
 * Where everything is, in each language and for all of them.
 *
 * @param sampleIn returns the query that limits a list, in the words of a language
 */
export const linksPart = (frame: Frame, languages: readonly LanguageIndex[], sampleIn: (tag: string) => string) => html`
      <section id="links" aria-labelledby="links-heading">
        <h2 id="links-heading">${frame.say('trees')}</h2>
        <div class="cards">${languages.map((each) => card(frame, each, sampleIn(each.tag)))}
        </div>
        <ul class="links">
          <li><a href="${frame.inTag(URLS.problems)}">${frame.say('problems')}</a></li>
          <li>${frame.say('health')} ${link(URLS.ready)}</li>
          <li>${frame.say('as-json')}</li>
        </ul>
      </section>`;
