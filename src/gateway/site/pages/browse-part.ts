import { html } from 'hono/html';
import { commandPart } from './command-part.ts';
import { type Frame, langOf } from './frame.ts';

interface Column {
  readonly word: string;
  readonly label: string;
  readonly kind: 'text' | 'key' | 'integer' | 'flag';
  /** Whether people often filter by it. */
  readonly isCommon: boolean;
}

/** A list of the API, and the words with which it is filtered, sorted and paged. */
export interface Browsing {
  /** The language of words and labels. */
  readonly tag: string;
  readonly list: string;
  readonly key: string;
  readonly size: { readonly word: string; readonly count: number };
  readonly page: string;
  readonly sort: string;
  readonly order: string;
  readonly descending: string;
  /** The sentence with the number of items, by plural form (CLDR), or one sentence for all forms. */
  readonly totals: string | Readonly<Record<string, string | undefined>>;
  readonly totalsTag: string;
  /** The message where the API cannot be reached. */
  readonly unreachable: string;
  readonly columns: readonly Column[];
}

const input = (frame: Frame, { word, kind }: Column) =>
  kind === 'flag'
    ? html`<select name="${word}"><option value="">${frame.say('any')}</option><option value="true">${frame.say('yes')}</option><option value="false">${frame.say('no')}</option></select>`
    : html`<input name="${word}" autocomplete="off"${kind === 'integer' ? html` inputmode="numeric"` : ''}>`;

const field = (frame: Frame, { tag }: Browsing, column: Column) => html`
            <label><span${langOf(frame, tag)}>${column.label}</span> <code translate="no">${column.word}</code>${input(frame, column)}</label>`;

const heading = (frame: Frame, { tag }: Browsing, { word, label, kind }: Column) => html`
                <th scope="col" class="${kind}"><button type="button" data-sort="${word}"${langOf(frame, tag)}>${label}</button></th>`;

const filter = (frame: Frame, browsing: Browsing) => {
  const { list, size, page, columns } = browsing;
  const fields = (isCommon: boolean) =>
    columns.filter((each) => each.isCommon === isCommon).map((each) => field(frame, browsing, each));
  return html`
        <form class="filter" action="${list}">
          <div class="fields">${fields(true)}
          </div>
          <details>
            <summary>${frame.say('more-fields')}</summary>
            <div class="fields">${fields(false)}
            </div>
          </details>
          <input type="hidden" name="${size.word}" value="${size.count}">
          <input type="hidden" name="${page}" value="1">
          <p class="actions">
            <button class="button">${frame.say('filter')}</button>
            <button class="button quiet" type="reset">${frame.say('clear')}</button>
          </p>
        </form>`;
};

/**
 * The first items of a list as a table, which the API itself filters. Without scripts the form leads to the API's response.
 *
 * @param creation the command that creates the first item, if the catalogue has an example
 */
export const browsePart = (frame: Frame, browsing: Browsing, creation: string | undefined) => {
  const { list, size, page, columns } = browsing;
  const { say } = frame;
  const first = `${list}?${encodeURIComponent(size.word)}=${size.count}&${encodeURIComponent(page)}=1`;
  const known = { ...browsing, yes: say('yes'), no: say('no') };
  return html`
      <section id="browse" data-browsing="${JSON.stringify(known)}">
        <h2 id="browse-heading">${say('browse')}</h2>
        <p class="about">${say('browse-about')}</p>${filter(frame, browsing)}
        <p class="sent">${say('request')} <a href="${first}"><code translate="no">GET ${first}</code></a></p>
        <div class="live" hidden>
          <div class="problem" role="alert" hidden></div>
          <div class="pager">
            <p class="count" role="status"></p>
            <button type="button" class="button quiet" data-page="prev" disabled>${say('previous')}</button>
            <button type="button" class="button quiet" data-page="next" disabled>${say('next')}</button>
          </div>
          <div class="scroll" role="region" aria-labelledby="browse-heading" tabindex="0">
            <table class="items">
              <thead>
                <tr>${columns.map((each) => heading(frame, browsing, each))}
                </tr>
              </thead>
              <tbody></tbody>
            </table>
          </div>
          <p class="none" hidden>${say('none-match')}</p>
          <div class="empty side" hidden>
            <p>${say('none-yet')}</p>${creation === undefined ? '' : commandPart(frame, creation)}
          </div>
        </div>
      </section>`;
};
