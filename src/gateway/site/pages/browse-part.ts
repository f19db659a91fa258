import { html } from 'hono/html';
import type { Tree } from '../../http/urls.ts';
import { valuesIn } from '../../locale/value-words.ts';
import type { Collection } from '../../model/catalogue.ts';
import { rangeEntry } from '../content/dictionary.ts';
import { type Frame, langOf } from './frame.ts';

/** How many items of a list the page shows or links to. */
export const SAMPLE = 10;

/** A list of the API, and the words with which it is filtered, sorted and paged: what the table's script reads. */
const browsingOf = ({ language, paths }: Tree, collection: Collection) => {
  const { tag, pages, parameters, directions } = language;
  const { word } = language.fields(collection);
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
    group: pages.group,
    /** The message where the API cannot be reached. */
    unreachable: pages.labels['Failed to fetch'] ?? '',
    search: collection.fields.some(({ searchable }) => searchable) ? parameters.word('search') : undefined,
    // What identifies an item comes first.
    columns: [collection.key, ...collection.fields.filter(({ isKey }) => !isKey)].map((field) => ({
      word: word(field.name),
      label: language.label(collection, field.name),
      kind: field.kind,
      /** How many decimals its numbers are shown with. */
      scale: field.scale,
      control: valuesIn(language, collection, field).control,
      /** The words of its range, if it has one. */
      ends: Object.values(rangeEntry(language, collection, field) ?? {}),
      /** Whether people often filter by it. */
      isCommon: field.indexed && !field.isKey,
    })),
  };
};

type Browsing = ReturnType<typeof browsingOf>;
type Column = Browsing['columns'][number];

/** Without scripts it stays off: unlike a filter, it must not be sent empty. */
const written = (word: string, control: Column['control'] | 'search') =>
  html`<input name="${word}" autocomplete="off" ${control === 'search' || control === 'date' ? 'type' : 'inputmode'}="${control}" disabled>`;

const select = (frame: Frame, word: string, options: readonly (readonly [value: string, label: string])[]) =>
  html`<select name="${word}">${[['', frame.say('any')], ...options].map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select>`;

const input = (frame: Frame, { word, control }: Column) => {
  if (typeof control !== 'string')
    return select(
      frame,
      word,
      control.map((each) => [each, each]),
    );
  if (control !== 'flag') return html`<input name="${word}" autocomplete="off">`;
  return select(frame, word, [
    ['true', frame.say('yes')],
    ['false', frame.say('no')],
  ]);
};

const labelled = (frame: Frame, tag: string, label: string, word: string, control: ReturnType<typeof html>) => html`
            <label><span${langOf(frame, tag)}>${label}</span> <code translate="no">${word}</code>${control}</label>`;

const field = (frame: Frame, { tag }: Browsing, column: Column) =>
  column.ends.length > 0
    ? column.ends.map((word) => labelled(frame, tag, column.label, word, written(word, column.control)))
    : [labelled(frame, tag, column.label, column.word, input(frame, column))];

const heading = (frame: Frame, { tag }: Browsing, { word, label, kind, isCommon }: Column) => html`
                <th scope="col" class="${kind}${isCommon ? ' common' : ''}"><button type="button" data-sort="${word}"${kind === 'list' ? html` disabled` : ''}${langOf(frame, tag)}>${label}</button></th>`;

const filter = (frame: Frame, browsing: Browsing) => {
  const { list, size, page, search, columns } = browsing;
  const fields = (isCommon: boolean) =>
    columns.filter((each) => each.isCommon === isCommon).flatMap((each) => field(frame, browsing, each));
  return html`
        <form class="filter" action="${list}">
          <div class="fields">${search ? labelled(frame, frame.tag, frame.say('search'), search, written(search, 'search')) : ''}${fields(true)}
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
 * @param needsKey whether the list is hidden until a key is given
 */
export const browsePart = (frame: Frame, tree: Tree, collection: Collection, needsKey = false) => {
  const browsing = browsingOf(tree, collection);
  const { list, size, page, columns } = browsing;
  const { say } = frame;
  const first = `${list}?${encodeURIComponent(size.word)}=${size.count}&${encodeURIComponent(page)}=1`;
  const known = { ...browsing, yes: say('yes'), no: say('no') };
  return html`
      <section id="browse"${needsKey ? html` hidden` : ''} data-browsing="${JSON.stringify(known)}">
        <h2 id="browse-heading">${say('browse')}</h2>
        <p class="about">${say('browse-about')}</p>${filter(frame, browsing)}
        <p class="sent">${say('request')} <a href="${first}"><code translate="no">GET ${first}</code></a></p>
        <div class="live" hidden>
          <div class="problem" role="alert" hidden></div>
          <div class="pager">
            <p class="count" role="status"></p>
            <button type="button" class="button quiet columns" aria-pressed="false" hidden>${say('empty-columns')}</button>
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
          <p class="none unmatched" hidden>${say('none-match')}</p>
          <p class="none empty" hidden>${say('none-yet')}</p>
        </div>
      </section>`;
};
