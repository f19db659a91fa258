import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import { type Browsing, browsePart } from './browse-part.ts';
import { type ExchangeStep, exchangePart } from './exchange-part.ts';
import { type Frame, page } from './frame.ts';
import { type LanguageIndex, linksPart } from './links-part.ts';
import { type WordGroup, wordsPart } from './words-part.ts';

/** The index of the service. */
export interface ServiceIndex {
  readonly title: string;
  readonly description: string;
  /** How many items each collection without a parent has. */
  readonly totals: Readonly<Record<string, number>>;
  readonly openapi: string;
  readonly documentation: string;
  readonly dictionaries: string;
  readonly languages: readonly LanguageIndex[];
}

/** What only the page shows. */
interface Extras {
  /** The totals of the index, in words. */
  readonly totals: readonly string[];
  readonly steps: readonly ExchangeStep[];
  readonly words: readonly WordGroup[];
  /** The list that the page shows, if there is one. */
  readonly browsing: Browsing | undefined;
  /** @returns the query, in the words of a language, that limits a list: a browser should not load all of it */
  readonly sampleIn: (tag: string) => string;
}

/**
 * The page at the root.
 *
 * @param frame what every page has
 * @param index what to show
 */
export const indexPage = (
  frame: Frame,
  index: ServiceIndex,
  { totals, steps, words, browsing, sampleIn }: Extras,
): Promise<string> => {
  const { say, documentation } = frame;
  const creations = steps.find(({ name }) => name === 'create')?.commands ?? [];
  const creation = creations.find(({ tag }) => tag === browsing?.tag)?.request;
  return page(frame, {
    title: index.title,
    head: html`<script type="module" src="${URLS.assets}/copy.js"></script>${
      browsing
        ? html`
    <script type="module" src="${URLS.assets}/browse.js"></script>`
        : ''
    }`,
    body: html`
    <main class="page">
      <div class="hero">
        <h1>${index.title}</h1>
        <p class="lead">${index.description}</p>
        <p class="totals">${totals.join(' · ')}</p>
        <p class="actions">
          <a class="button" href="${documentation}">${say('documentation')}</a>
          ${browsing ? html`<a class="button quiet" href="#browse">${say('browse')}</a>` : ''}
          <a class="button quiet" href="#words">${say('words')}</a>
        </p>
      </div>${exchangePart(frame, steps)}${wordsPart(frame, words)}${browsing ? browsePart(frame, browsing, creation) : ''}${linksPart(frame, index.languages, sampleIn)}
    </main>`,
  });
};
