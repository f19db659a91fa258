import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import { exchangePart, type Step } from './exchange-part.ts';
import { type Frame, page } from './frame.ts';
import { type LanguageIndex, linksPart } from './links-part.ts';
import { type WordGroup, wordsPart } from './words-part.ts';

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

/** What only people are shown. */
interface Extras {
  /** The totals of the index, in words. */
  readonly totals: readonly string[];
  readonly steps: readonly Step[];
  readonly words: readonly WordGroup[];
  /** The query that makes a list short, by the tag of its language: nobody wants all of it in a browser. */
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
  { totals, steps, words, sampleIn }: Extras,
): Promise<string> =>
  page(frame, {
    title: index.title,
    head: html`<script type="module" src="${URLS.assets}/copy.js"></script>`,
    body: html`
    <main class="page">
      <div class="hero">
        <h1>${index.title}</h1>
        <p class="lead">${index.description}</p>
        <p class="totals">${totals.join(' · ')}</p>
        <p class="actions">
          <a class="button" href="${frame.documentation}">${frame.say('documentation')}</a>
          <a class="button quiet" href="#words">${frame.say('words')}</a>
        </p>
      </div>${exchangePart(frame, steps)}${wordsPart(frame, words)}${linksPart(frame, index.languages, sampleIn)}
    </main>`,
  });
