// Runs in the browser: the table of a list, which the API filters, sorts and pages.
import { authorization, hasKey } from './key.js';
import { numberText } from './numbers.js';

const section = document.querySelector('[data-browsing]');
if (!(section instanceof HTMLElement)) throw new TypeError('the page has no list');
/** As `Table` in `pages.ts`. */
const known = JSON.parse(section.dataset.browsing ?? '');
/** @param {string} selector @returns {any} what `pages.ts` writes there */
const partOf = (selector) => section.querySelector(selector);
const [form, sent, live, problem] = ['form', '.sent a', '.live', '.problem'].map(partOf);
const [count, scroll, columns, rows] = ['.count', '.scroll', '.columns', 'tbody'].map(partOf);
const [none, empty] = ['.unmatched', '.empty'].map(partOf);
/** @type {any[][]} */
const [headings = [], pages = []] = ['[data-sort]', '[data-page]'].map((each) => [...section.querySelectorAll(each)]);

const plural = new Intl.PluralRules(known.totalsTag);
const format = new Intl.NumberFormat(known.totalsTag);
/** @param {number} value */
const written = (value) => {
  const parts = format.formatToParts(value).map((part) => (part.type === 'group' ? known.group : part.value));
  return parts.join('');
};

/** @type {{ word: string, isDescending: boolean } | undefined} */
let sorted;
let latest = new AbortController();

/** @returns {string} the URL that the form and the sorted heading select */
const asked = () => {
  const query = new URLSearchParams();
  for (const [word, value] of new FormData(form)) {
    const column = known.columns.find((/** @type {any} */ each) => each.word === word || each.ends.includes(word));
    if (value !== '') query.append(word, numberText(String(value), column?.scale, known.tag));
  }
  if (sorted) query.append(known.sort, sorted.word);
  if (sorted?.isDescending) query.append(known.order, known.descending);
  return `${known.list}?${query}`;
};

/** @param {number} total */
const said = (total) => {
  const { totals } = known;
  const form = typeof totals === 'string' ? totals : (totals[plural.select(total)] ?? totals.other);
  return form.replace('{count}', written(total));
};

/** @param {unknown} value @param {number | undefined} scale */
const shown = (value, scale) => {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return known[value ? 'yes' : 'no'];
  if (typeof value !== 'number' || scale === undefined) return [value].flat().join(', ');
  return value.toLocaleString(known.tag, { minimumFractionDigits: scale, useGrouping: false });
};

/** @param {Record<string, unknown>} item */
const row = (item) => {
  const made = document.createElement('tr');
  for (const { word, kind, scale, label, isCommon } of known.columns) {
    const cell = made.insertCell();
    const value = item[word];
    cell.className = isCommon ? `${kind} common` : kind;
    cell.dataset.label = label;
    cell.title = shown(value, scale);
    if (cell.title === '') continue;
    // No link can send a key.
    const isLink = word === known.key && !('Authorization' in authorization());
    const text = document.createElement(isLink ? 'a' : 'bdi');
    if (text instanceof HTMLAnchorElement) text.href = `${known.list}/${encodeURIComponent(String(value))}`;
    text.dir = 'auto';
    text.textContent = cell.title;
    cell.append(text);
  }
  return made;
};

/** Columns in which no item has a value are folded up, until somebody wants to see them. */
const foldColumns = () => {
  const all = headings.map(({ parentElement }, at) => [parentElement, ...[...rows.rows].map(({ cells }) => cells[at])]);
  const isEmpty = all.map(([, ...cells]) => cells.every((cell) => cell?.textContent === ''));
  const isShown = columns.ariaPressed === 'true';
  columns.hidden = rows.rows.length === 0 || !isEmpty.includes(true);
  for (const [at, cells] of all.entries())
    for (const cell of cells) if (cell) cell.hidden = !isShown && isEmpty[at] === true;
};

/** @param {Response} response @param {string} relation @returns {string} the URL of another page; empty if there is none */
const linked = (response, relation) =>
  new RegExp(`<([^<>]*)>; rel="${relation}"`).exec(response.headers.get('link') ?? '')?.[1] ?? '';

/** @param {string} url @param {Response} response @param {Record<string, unknown>[]} items */
const showItems = (url, response, items) => {
  const total = Number(response.headers.get('x-total-count'));
  const { searchParams } = new URL(url, location.href);
  const before = (Number(searchParams.get(known.page) ?? 1) - 1) * known.size.count;
  const range = total > items.length ? `${written(before + 1)}–${written(before + items.length)} / ` : '';
  const isFiltered = [...searchParams.keys()].some((word) =>
    form.querySelector(`[name="${CSS.escape(word)}"]:not([type="hidden"])`),
  );
  count.textContent = range + said(total);
  rows.replaceChildren(...items.map(row));
  foldColumns();
  scroll.hidden = items.length === 0;
  none.hidden = total > 0 || !isFiltered;
  empty.hidden = total > 0 || isFiltered;
  for (const button of pages) {
    button.dataset.url = linked(response, button.dataset.page ?? '');
    button.disabled = button.dataset.url === '';
  }
};

/** Shows a problem of the API. @param {{ title: string, detail?: string, type?: string, errors?: { detail: string }[] }} said */
const showProblem = ({ title, detail, type, errors = [] }) => {
  const heading = document.createElement('strong');
  heading.textContent = title;
  const list = document.createElement('ul');
  const details = errors.length > 0 ? errors.map((each) => each.detail) : detail ? [detail] : [];
  list.replaceChildren(...details.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
  const link = Object.assign(document.createElement('a'), {
    href: `${type}?lang=${known.tag}`,
    textContent: type,
    dir: 'ltr',
  });
  scroll.hidden = none.hidden = empty.hidden = true;
  count.textContent = '';
  // A message that is not the API's is in the page's language.
  if (type) problem.lang = known.tag;
  else problem.removeAttribute('lang');
  problem.replaceChildren(heading, list, ...(type ? [link] : []));
};

/** @param {string} url of the API */
const show = async (url) => {
  latest.abort();
  latest = new AbortController();
  const { signal } = latest;
  sent.href = url;
  if (sent.firstElementChild) sent.firstElementChild.textContent = `GET ${url}`;
  try {
    const response = await fetch(url, { signal, headers: { Accept: 'application/json', ...authorization() } });
    const content = await response.json();
    problem.hidden = response.ok;
    if (response.ok) showItems(url, response, content);
    else showProblem(content);
  } catch {
    if (signal.aborted) return;
    problem.hidden = false;
    showProblem({ title: known.unreachable });
  }
};

/** @param {typeof sorted} by */
const sort = (by) => {
  sorted = by;
  for (const { parentElement, dataset } of headings) {
    if (by && dataset.sort === by.word)
      parentElement?.setAttribute('aria-sort', by.isDescending ? 'descending' : 'ascending');
    else parentElement?.removeAttribute('aria-sort');
  }
};

form.addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  show(asked());
});
form.addEventListener('reset', () => {
  sort(undefined);
  // The fields are reset after this event.
  setTimeout(() => show(asked()));
});
for (const button of pages) button.addEventListener('click', () => show(button.dataset.url ?? ''));
for (const heading of headings) {
  heading.addEventListener('click', () => {
    const word = heading.dataset.sort ?? '';
    const wasThis = sorted?.word === word;
    // Ascending, descending, and the order of creation again.
    sort(wasThis && sorted?.isDescending ? undefined : { word, isDescending: wasThis });
    show(asked());
  });
}
columns.addEventListener('click', () => {
  columns.ariaPressed = String(columns.ariaPressed !== 'true');
  foldColumns();
});
const begin = () => {
  section.hidden = !hasKey();
  if (hasKey()) show(asked());
};
addEventListener('key', begin);
live.hidden = false;
for (const each of form.querySelectorAll('input')) each.disabled = false;
begin();
