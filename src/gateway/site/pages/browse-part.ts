import { html } from 'hono/html';
import type { Tree } from '../../http/urls.ts';
import { fieldLabel } from '../../locale/field-label.ts';
import type { Collection } from '../../model/catalogue.ts';
import { commandPart } from './command-part.ts';
import { type Frame, langOf } from './frame.ts';

/** How many items of a list the page shows or links to. */
export const SAMPLE = 10;

/** A list of the API, and the words with which it is filtered, sorted and paged: what the table's script reads. */
const browsingOf = ({ language, paths }: Tree, collection: Collection) => {
  const { tag, pages, parameters, directions } = language;
  const { word } = language.fields(collection);
  const label = fieldLabel(language, collection);
  return {
    /** The language of words and labels. */
    tag,
    list: paths(collection).list([]),
    key: word(collection.key.name),
    size: { word: parameters.word('number_of_elements'), count: SAMPLE },
    page: parameters.word('page'),
    sort: parameters.word('sort_by'),
    order: parameters.word('order'),
    descending: directions.word('desc'),
    /** The sentence with the number of items, by plural form (CLDR), or one sentence for all forms. */
    totals: pages.totalForms(collection),
    totalsTag: pages.tag,
    /** The message where the API cannot be reached. */
    unreachable: pages.labels['Failed to fetch'] ?? '',
    // The key comes last: a generated one means nothing to people.
    columns: [...collection.fields.filter(({ isKey }) => !isKey), collection.key].map(
      ({ name, kind, isKey, indexed }) => ({
        word: word(name),
        label: label(name),
        kind,
        /** Whether people often filter by it. */
        isCommon: indexed && !isKey,
      }),
    ),
  };
};

type Browsing = ReturnType<typeof browsingOf>;
type Column = Browsing['columns'][number];

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
export const browsePart = (frame: Frame, tree: Tree, collection: Collection, creation: string | undefined) => {
  const browsing = browsingOf(tree, collection);
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
