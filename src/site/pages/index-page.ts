import { html } from 'hono/html';
import { type Frame, page } from './frame.ts';

/** What the service is, and where to find what. */
export interface ServiceIndex {
  readonly title: string;
  readonly description: string;
  /** How many items, by collection at the top. */
  readonly totals: Readonly<Record<string, number>>;
  readonly openapi: string;
  readonly documentation: string;
  readonly dictionaries: string;
  readonly languages: readonly LanguageIndex[];
}

/** Where things are in one language. */
export interface LanguageIndex {
  readonly tag: string;
  /** As it is called by itself. */
  readonly name: string;
  /** Addresses of the collections at the top. */
  readonly collections: Readonly<Record<string, string>>;
  readonly openapi: string;
  readonly documentation: string;
  readonly dictionary: string;
}

const link = (address: string, label = address) => html`<a href="${address}">${label}</a>`;

interface Extras {
  /** The totals of the index, said. */
  readonly totals: readonly string[];
  /** The first few items of a collection: nobody wants all of them in a browser. */
  readonly sample: (tag: string, collection: string) => string;
}

const card = ({ say }: Frame, { sample }: Extras, language: LanguageIndex) => {
  const { tag, name, collections, openapi, documentation, dictionary } = language;
  return html`
      <section class="card" aria-labelledby="language-${tag}">
        <h3 id="language-${tag}" lang="${tag}">${name}</h3>
        <dl>
          <dt>${say('collections')}</dt>
          ${Object.values(collections).map((address) => html`<dd>${link(sample(tag, address), address)}</dd>`)}
          <dt>${say('documentation')}</dt>
          <dd>${link(documentation)}</dd>
          <dt>${say('openapi')}</dt>
          <dd>${link(openapi)}</dd>
          <dt>${say('dictionary')}</dt>
          <dd>${link(dictionary)}</dd>
        </dl>
      </section>`;
};

/**
 * The page at the root.
 *
 * @param frame what every page has
 * @param index what to show
 */
export const indexPage = (frame: Frame, index: ServiceIndex, extras: Extras): Promise<string> =>
  page(frame, {
    title: index.title,
    body: html`
    <main class="page">
      <h1>${index.title}</h1>
      <p class="lead">${index.description}</p>
      <p class="totals">${extras.totals.join(' · ')}</p>
      <p><a class="button" href="${frame.documentation}">${frame.say('documentation')}</a></p>
      <h2>${frame.say('trees')}</h2>
      <div class="cards">${index.languages.map((each) => card(frame, extras, each))}
      </div>
      <p class="note">${frame.say('as-json')}</p>
    </main>`,
  });
