/** The pages of a list and of an item: links and forms of HTML, which need no script. */
import { html } from 'hono/html';
import { LANG, listUrls } from '../../http/urls.ts';
import { createNumberWriter, findDisplayUnit, getValues, type Language } from '../../locale/language.ts';
import type { Access } from '../../model/access.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import { unitSign } from '../../model/units.ts';
import { type Item, type ItemView, type ListView, type Pair, type Refusal, writeAddress } from '../content/browse.ts';
import { findRange, type ServiceIndex, type Site, topCollections } from '../content/service.ts';
import { createValueWriter } from '../content/values.ts';
import { createFrame, type Frame, type Html, keyForm, link, mark, markLanguage, page, script } from './frame.ts';

export type BrowseSite = Site & { readonly access: Access };

/** Columns of a table that fits a screen of 1,280 pixels; an address can ask for others. */
const COLUMNS = 10;

/** @returns the name of a field for people, its unit in brackets, a currency by its sign, and both together */
function describeLabel(language: Language, collection: Collection, field: Field) {
  const unit = findDisplayUnit(language, collection, field) ?? '';
  const name = language.label(collection, field.name).replace(` (${unit})`, '');
  const brackets = unit === '' ? '' : ` (${unitSign(unit, language.tag)})`;
  return { name, brackets, label: name + brackets };
}

/** A field as pages show it. What identifies an item comes first. */
function describeColumns(language: Language, collection: Collection) {
  const { word } = language.fields(collection);
  return [collection.key, ...collection.fields.filter(({ isKey }) => !isKey)].map((field) => ({
    field,
    word: word(field.name),
    ...describeLabel(language, collection, field),
    control: getValues(language, collection, field).control,
    ends: Object.values(findRange(language, collection, field) ?? {}),
    isCommon: field.indexed && !field.isKey,
    write: createValueWriter(language, collection, field),
  }));
}

type Column = ReturnType<typeof describeColumns>[number];

interface Context {
  readonly frame: Frame;
  readonly site: BrowseSite;
  readonly view: Pick<ListView | ItemView, 'tree'>;
}

function showText(frame: Frame, { documents }: Language, collection: Collection, text: 'name' | 'export' | 'import') {
  return mark(frame, documents.tagAt(collection, text), documents.collection(collection)[text]);
}

/** @returns a link's address, if it is one that a browser may follow */
function readUrl(value: unknown): URL | undefined {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

const PICTURE = /\.(?:avif|gif|jpe?g|png|webp)$/i;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns the key of an included item, or any other value as it is */
const keyIn = (value: unknown): unknown => (isItem(value) ? Object.values(value)[0] : value);

/** A value may be in a script of another direction than the page's. */
const isolate = (text: string) => html`<bdi dir="auto">${text}</bdi>`;
const linkItem = (address: string, key: string) => html`<a href="${address}" dir="auto">${key}</a>`;

/** Writes a value for people; texts stay texts, whatever is in them. */
function showValue({ frame, site, view }: Context, { field, write }: Column, value: unknown): Html | string {
  const plain = keyIn(value);
  if (plain === undefined || plain === null) return '';
  if (typeof plain === 'boolean') return frame.say(plain ? 'yes' : 'no');
  if (Array.isArray(plain)) return isolate(plain.map((entry) => String(keyIn(entry))).join(', '));
  const url = field.kind === 'url' ? readUrl(plain) : undefined;
  if (url) return html`<a href="${url.href}" rel="noreferrer" dir="ltr">${url.host}${url.pathname}</a>`;
  const to = field.refersTo === undefined ? undefined : site.catalogue.find(({ name }) => name === field.refersTo);
  return to
    ? linkItem(writeAddress(site.catalogue, view.tree, to, [], String(plain)), String(plain))
    : isolate(write(plain));
}

/** @returns the columns that an address asks for, or those that have values and fit, the searched and sorted ones before others */
function chooseColumns({ tree, pairs, items }: ListView, columns: readonly Column[]): readonly Column[] {
  const { parameters } = tree.language;
  const find = (name: 'fields' | 'sort_by') =>
    pairs.find(([word]) => word === parameters.word(name))?.[1].split(',') ?? [];
  const [named, sorted] = [find('fields'), find('sort_by')];
  if (named.length > 0) return columns.filter(({ word, field }) => field.isKey || named.includes(word));
  const hasValues = ({ word }: Column) => items.some((item) => item[word] !== undefined);
  const rank = ({ field, word, ends, isCommon }: Column): number => {
    if (field.isKey) return 0;
    if (sorted.includes(word) || pairs.some(([other]) => other === word || ends.includes(other))) return 1;
    return isCommon ? 2 : field.kind === 'list' || field.kind === 'url' ? 4 : 3;
  };
  const chosen = columns
    .filter(hasValues)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, COLUMNS);
  return columns.filter((column) => chosen.includes(column));
}

interface ListContext extends Context {
  readonly view: ListView;
  readonly collection: Collection;
  readonly columns: readonly Column[];
}

/** @returns the address of the same list with other parameters in place of some, from its first page on */
function withPairs({ site, view, collection }: ListContext, others: Readonly<Record<string, string | undefined>>) {
  const { pairs, tree } = view;
  const page = tree.language.parameters.word('page');
  const rest = pairs.filter(([word]) => word !== page && !Object.hasOwn(others, word));
  const added = Object.entries(others).flatMap(([word, text]) => (text === undefined ? [] : [[word, text] as const]));
  return writeAddress(site.catalogue, tree, collection, [...rest, ...added]);
}

function select(word: string, text: string, options: readonly Pair[]) {
  const all = text === '' || options.some(([value]) => value === text) ? options : [...options, [text, text] as const];
  return html`<select name="${word}">${all.map(([value, label]) => html`<option value="${value}"${value === text ? html` selected` : ''}>${label}</option>`)}</select>`;
}

/** An input has what the table shows. It is sent empty without scripts, which is as good as not sent. */
function input(word: string, text: string, { field, control, write }: Column) {
  const isNumber = control === 'numeric' || control === 'decimal';
  const isMoment = field.kind === 'date' || field.kind === 'timestamp';
  const isValue = isNumber ? Number.isFinite(Number(text)) : isMoment && !Number.isNaN(Date.parse(text));
  const shown = isValue && text !== '' ? write(isNumber ? Number(text) : text) : text;
  const [example] = isMoment ? field.examples : [];
  return html`<input name="${word}" value="${shown}" autocomplete="off"${isNumber ? html` inputmode="${control}"` : ''}${example === undefined ? '' : html` placeholder="${write(example)}"`}>`;
}

const labelled = (frame: Frame, tag: string, label: string | Html, control: Html) => html`
            <label><span${markLanguage(frame, tag)}>${label}</span>${control}</label>`;

function fieldFilter({ frame, view, site }: ListContext, column: Column): readonly Html[] {
  const { field, word, name, brackets, label, ends, control } = column;
  const { tag } = view.tree.language;
  const texts = (parameter: string): readonly string[] => {
    const values = view.apiPairs.filter(([other]) => other === parameter).map(([, text]) => text);
    return values.length > 0 ? values : [''];
  };
  const any: Pair = ['', frame.text('any')];
  const flags: Pair[] = [any, ['true', frame.text('yes')], ['false', frame.text('no')]];
  const known = site.catalogue.some(({ name }) => name === field.refersTo) ? view.choices.get(field.name) : undefined;
  const words = known ?? (Array.isArray(control) ? (control as readonly string[]) : undefined);
  const options = control === 'flag' ? flags : words && [any, ...words.map((choice): Pair => [choice, choice])];
  if (options) return texts(word).map((text) => labelled(frame, tag, label, select(word, text, options)));
  const own = ends.length === 0 || view.apiPairs.some(([other]) => other === word) ? [[word, label] as const] : [];
  const ranges = ends.map(
    (end, at) => [end, `${name} ${frame.text(at === 0 ? 'range-from' : 'range-to')}${brackets}`] as const,
  );
  return [...own, ...ranges].flatMap(([parameter, caption]) =>
    texts(parameter).map((text) => labelled(frame, tag, caption, input(parameter, text, column))),
  );
}

function filterForm(context: ListContext) {
  const { frame, site, view, collection, columns } = context;
  const { say } = frame;
  const { tree, pairs } = view;
  const { language } = tree;
  const { parameters, directions, tag } = language;
  const find = (word: string): string => pairs.find(([other]) => other === word)?.[1] ?? '';
  const [search, sort, order] = [parameters.word('search'), parameters.word('sort_by'), parameters.word('order')];
  const unchanged = [parameters.word('number_of_elements'), parameters.word('fields')].flatMap((word) =>
    find(word) === '' ? [] : [[word, find(word)] as const],
  );
  const [common, others] = [true, false].map((isCommon) => columns.filter((column) => column.isCommon === isCommon));
  const isOpen = others?.some(({ word, ends }) => [word, ...ends].some((parameter) => find(parameter) !== ''));
  const address = writeAddress(site.catalogue, tree, collection);
  const [home = '', own = ''] = address.split('?');
  const hidden: Pair[] = [...new URLSearchParams(own), ...unchanged];
  const sortable = columns.filter(({ field }) => field.kind !== 'list');
  const isSearched = collection.fields.some(({ searchable }) => searchable);
  return html`
        <form class="filter" action="${home}#items">
          <div class="fields">${
            isSearched
              ? html`
            <label><span>${say('search')}</span><input type="search" name="${search}" value="${find(search)}" autocomplete="off"></label>`
              : ''
          }${common?.map((column) => fieldFilter(context, column))}
          </div>
          <details${isOpen ? html` open` : ''}>
            <summary>${say('more-fields')}</summary>
            <div class="fields">${others?.map((column) => fieldFilter(context, column))}${labelled(frame, frame.tag, say('sort-by'), select(sort, find(sort), [['', '—'], ...sortable.map(({ word, name }): Pair => [word, name])]))}${labelled(frame, tag, say('order'), select(order, find(order), [['', '—'], ...directions.names.map((name): Pair => [directions.word(name), directions.word(name)])]))}
            </div>
          </details>
          ${hidden.map(([word, text]) => html`<input type="hidden" name="${word}" value="${text}">`)}
          <p class="actions">
            <button class="button">${say('filter')}</button>
            <a class="button quiet" href="${address}#items">${say('clear')}</a>
          </p>
        </form>`;
}

/** Ascending, descending, and the order of creation again. */
function heading(context: ListContext, { word, label, field }: Column) {
  const { frame, view } = context;
  const { parameters, directions, tag } = view.tree.language;
  const [sort, order] = [parameters.word('sort_by'), parameters.word('order')];
  const find = (name: string) => view.pairs.find(([word]) => word === name)?.[1];
  const isSorted = find(sort) === word;
  const isDescending = isSorted && find(order) === directions.word('desc');
  const next = isDescending
    ? { [sort]: undefined, [order]: undefined }
    : { [sort]: word, [order]: isSorted ? directions.word('desc') : undefined };
  const state = isSorted ? html` aria-sort="${isDescending ? 'descending' : 'ascending'}"` : '';
  const lang = markLanguage(frame, tag);
  const text =
    field.kind === 'list'
      ? html`<span${lang}>${label}</span>`
      : html`<a href="${withPairs(context, next)}#items"${lang}>${label}</a>`;
  return html`
                <th scope="col" class="${field.kind}"${state}>${text}</th>`;
}

function showCell(context: ListContext, column: Column, item: Item): Html | string {
  const { site, view, collection } = context;
  const value = item[column.word];
  if (!column.field.isKey) return showValue(context, column, value);
  // The way back leads to the list as it was.
  return linkItem(writeAddress(site.catalogue, view.tree, collection, view.pairs, String(value)), String(value));
}

/** A cell has its label, too, for screens on which an item is a card. */
const table = (
  titleId: string,
  columns: readonly Column[],
  items: readonly Item[],
  head: (column: Column) => Html,
  show: (column: Column, item: Item) => Html | string,
) => html`
        <div class="scroll" role="region" aria-labelledby="${titleId}" tabindex="0">
          <table class="items">
            <thead><tr>${columns.map(head)}</tr></thead>
            <tbody>${items.map(
              (item) => html`
              <tr>${columns.map((column) => html`<td class="${column.field.kind}" data-label="${column.label}">${show(column, item)}</td>`)}</tr>`,
            )}
            </tbody>
          </table>
        </div>`;

const refusalBox = ({ tag }: Frame, language: Language, { title, detail, errors = [], type }: Refusal) => html`
          <div class="problem" role="alert"${language.tag === tag ? '' : html` lang="${language.tag}"`}>
            <strong>${title}</strong>
            <ul>${(errors.length > 0 ? errors.map((error) => error.detail) : [detail ?? '']).map((text) => html`<li>${text}</li>`)}</ul>
            <a href="${type}?${LANG}=${language.tag}" dir="ltr">${type}</a>
          </div>`;

function itemsTable(context: ListContext) {
  const { frame, view, columns } = context;
  const { say } = frame;
  const { tree, items, total, page, size, collection = context.collection } = view;
  const { parameters, pages } = tree.language;
  const write = createNumberWriter(pages.tag);
  const shown = chooseColumns(view, columns);
  const before = (page - 1) * size;
  const range =
    total > items.length && items.length > 0 ? `${write(before + 1)}–${write(before + items.length)} / ` : '';
  const all = columns.map(({ word }) => word).join(',');
  const turn = (text: 'previous' | 'next', to: number, isThere: boolean) =>
    isThere
      ? html`
            <a class="button quiet" rel="${text === 'next' ? 'next' : 'prev'}" href="${withPairs(context, { [parameters.word('page')]: to === 1 ? undefined : String(to) })}#items">${say(text)}</a>`
      : '';
  const last = Math.max(1, Math.ceil(total / size));
  const turns = html`${turn('previous', Math.min(page - 1, last), page > 1)}${turn('next', page + 1, page < last)}`;
  return html`
          <div class="pager">
            <p class="count" role="status">${range}${mark(frame, pages.totalTag(collection), pages.total(collection, total))}</p>${
              items.length > 0 && shown.length < columns.length
                ? html`
            <a class="button quiet columns" href="${withPairs(context, { [parameters.word('fields')]: all })}#items">${say('all-columns')}</a>`
                : ''
            }${turns}
          </div>${
            items.length === 0
              ? emptyList(context)
              : html`
          ${table(
            'browse-heading',
            shown,
            items,
            (column) => heading(context, column),
            (column, item) => showCell(context, column, item),
          )}
          <div class="pager">${turns}</div>`
          }`;
}

/** Sentences about an empty list speak of the first one of the catalogue. */
function emptyList({ frame, site, view, collection, columns }: ListContext) {
  if (collection !== topCollections(site.catalogue)[0] || view.total > 0) return '';
  const { parameters } = view.tree.language;
  const words = new Set([parameters.word('search'), ...columns.flatMap(({ word, ends }) => [word, ...ends])]);
  const isFiltered = view.pairs.some(([word]) => words.has(word));
  return html`
          <p class="none">${frame.say(isFiltered ? 'none-match' : 'none-yet')}</p>`;
}

/** A file is sent by a script only, which checks it first and has the key. */
function fileSection({ frame, site, view, collection }: ListContext) {
  const { say } = frame;
  const { tree, url, apiPairs } = view;
  const { language, paths } = tree;
  const { report, parameters } = language;
  const list = paths(collection).list([]);
  const rest = list.slice(language.base.length).replace(/^\/api/, '');
  const at = (name: 'imports' | 'exports'): string =>
    `${language.base}/api/${encodeURIComponent(language.subresources.word(name))}${rest}`;
  const places = [parameters.word('number_of_elements'), parameters.word('page')];
  const query = apiPairs
    .filter(([word]) => !places.includes(word))
    .map((pair) => pair.map(encodeURIComponent).join('='));
  const format = `${encodeURIComponent(parameters.word('format'))}=xlsx`;
  return html`
        <p class="sent">${say('request')} <a href="${url}"><code translate="no">GET ${url}</code></a></p>
        <p class="actions">
          <a class="button quiet" download href="${at('exports')}?${[...query, format].join('&')}">${showText(frame, language, collection, 'export')}</a>
        </p>
        <details class="fold files" data-import="${at('imports')}" data-words="${JSON.stringify(report.dictionary)}" data-unreachable="${language.pages.labels['Failed to fetch'] ?? ''}" hidden>
          <summary><h2>${showText(frame, language, collection, 'import')}</h2></summary>${site.access === 'open' ? '' : html`<p class="about">${say('import-key')}</p>`}${site.access === 'write' ? keyForm(frame) : ''}
          <form class="file" hidden>
            <label class="drop">${say('file')} <input type="file" name="file" accept=".csv,.xlsx,.json,.ndjson" required></label>
            <p class="actions">
              <button class="button quiet" value="check">${say('check')}</button>
              <button class="button" value="import" disabled>${say('import')}</button>
            </p>
            <p class="done" role="status"><span data-done="check" hidden>${say('checked')}</span><span data-done="import" hidden>${say('imported')}</span></p>
            <div class="report"></div>
          </form>
        </details>`;
}

function listsNavigation({ frame, site, view: { tree }, collection }: ListContext) {
  const tops = topCollections(site.catalogue);
  if (tops.length < 2) return '';
  return html`
      <nav class="lists" aria-label="${frame.text('collections')}"><ul>${tops.map(
        (list) => html`
        <li><a href="${writeAddress(site.catalogue, tree, list)}"${list === collection ? html` aria-current="page"` : ''}>${showText(frame, tree.language, list, 'name')}</a></li>`,
      )}
      </ul></nav>`;
}

/** @param links the section below the list that says where programs find the API */
export function listPage(
  site: BrowseSite,
  path: string,
  view: ListView & { readonly collection: Collection },
  index: ServiceIndex,
  links: (frame: Frame) => Html,
): Promise<string> {
  const { collection, refusal, pairs } = view;
  const { language } = view.tree;
  const frame = createFrame(path, site, language, view.addresses);
  const tops = topCollections(site.catalogue);
  const context = { frame, site, view, collection, columns: describeColumns(language, collection) };
  const isFirst = collection === tops[0];
  const { total, totalTag } = language.pages;
  const totals = tops.map((list) => mark(frame, totalTag(list), total(list, index.totals[list.name] ?? 0)));
  const body = html`
    <main id="main" class="page" tabindex="-1">
      <div class="hero">
        <h1>${frame.say('title')}</h1>${
          isFirst && pairs.length === 0
            ? html`
        <p class="lead">${frame.say('summary')}</p>`
            : ''
        }
        <p class="totals">${totals.map((text, at) => html`${at === 0 ? '' : ' · '}${text}`)} <a href="${listUrls(language).documentation}">${frame.say('documentation')}</a></p>
      </div>${site.access === 'all' ? keyForm(frame) : ''}${listsNavigation(context)}
      <section id="browse">
        <h2 id="browse-heading">${isFirst ? frame.say('browse') : showText(frame, language, collection, 'name')}</h2>${filterForm(context)}
        <div id="items">${refusal ? refusalBox(frame, language, refusal) : itemsTable(context)}
        </div>${fileSection(context)}
      </section>${links(frame)}
    </main>`;
  return page(frame, index.title, body, script(frame, 'browse.js'));
}

function factsList(context: Context, columns: readonly Column[], item: Item) {
  const lang = markLanguage(context.frame, context.view.tree.language.tag);
  return html`
      <dl class="facts">${columns.map((column) => {
        const value = showValue(context, column, item[column.word]);
        return value === ''
          ? ''
          : html`
        <div><dt${lang}>${column.label}</dt><dd class="${column.field.kind}">${value}</dd></div>`;
      })}
      </dl>`;
}

function listPictures(columns: readonly Column[], items: readonly Item[]) {
  const links = columns.filter(({ field }) => field.kind === 'url');
  const urls = items.flatMap((item) => links.map(({ word, name }) => ({ url: readUrl(item[word]), name })));
  return urls.filter(({ url }) => url && PICTURE.test(url.pathname));
}

function nestedSection(context: Context, child: Collection, columns: readonly Column[], items: readonly Item[]) {
  const { frame, view } = context;
  const { language } = view.tree;
  const isGallery = columns.every(({ field }) => field.isKey || field.kind === 'url');
  if (items.length === 0 || (isGallery && listPictures(columns, items).length === items.length)) return '';
  const lang = markLanguage(frame, language.tag);
  return html`
      <section>
        <h2 id="${child.routeId}">${showText(frame, language, child, 'name')}</h2>
        ${table(
          child.routeId,
          columns,
          items,
          ({ label, field }) => html`<th scope="col" class="${field.kind}"${lang}>${label}</th>`,
          (column, item) => showValue(context, column, item[column.word]),
        )}
      </section>`;
}

/** What identifies an item for people: its required texts, or else its key. */
function writeTitle(columns: readonly Column[], item: Item): string {
  const texts = columns.filter(({ field }) => field.kind === 'text' && field.required).map(({ word }) => item[word]);
  return texts.length > 0 ? texts.join(' ') : String(item[columns[0]?.word ?? '']);
}

export function itemPage(site: BrowseSite, path: string, view: ItemView): Promise<string> {
  const { tree, collection, item, refusal, url } = view;
  const { language } = tree;
  const frame = createFrame(path, site, language, view.addresses);
  const { say } = frame;
  const context = { frame, site, view };
  const columns = collection ? describeColumns(language, collection) : [];
  const title = item ? writeTitle(columns, item) : (refusal?.title ?? '');
  const { word: includedWord } = collection ? language.included(collection) : {};
  const nested = (collection?.children ?? []).map((child) => ({
    child,
    own: describeColumns(language, child),
    items: ((item && includedWord ? item[includedWord(child.name)] : undefined) ?? []) as readonly Item[],
  }));
  const pictures = [{ own: columns, items: item ? [item] : [] }, ...nested].flatMap(({ own, items }) =>
    listPictures(own, items),
  );
  const references = columns.flatMap(({ field, word, label }) => {
    const [to, value] = [site.catalogue.find(({ name }) => name === field.refersTo), item?.[word]];
    return to && isItem(value) ? [{ label, columns: describeColumns(language, to), value }] : [];
  });
  const back = collection ?? topCollections(site.catalogue)[0];
  const lang = markLanguage(frame, language.tag);
  const body = html`
    <main id="main" class="page" tabindex="-1">
      ${back ? html`<p>${link(writeAddress(site.catalogue, tree, back, view.pairs), html`← ${showText(frame, language, back, 'name')}`)}</p>` : ''}
      <h1 dir="auto">${title}</h1>${site.access === 'all' ? keyForm(frame) : ''}${refusal ? refusalBox(frame, language, refusal) : ''}${
        pictures.length === 0
          ? ''
          : html`
      <ul class="pictures">${pictures.map(
        ({ url, name }, at) => html`
        <li><a href="${url?.href}" rel="noreferrer"><img src="${url?.href}" alt="${name} ${at + 1}" loading="lazy" referrerpolicy="no-referrer"></a></li>`,
      )}
      </ul>`
      }${item ? factsList(context, columns, item) : ''}${references.map(
        (reference) => html`
      <section>
        <h2${lang}>${reference.label}</h2>${factsList(context, reference.columns, reference.value)}
      </section>`,
      )}${nested.map(({ child, own, items }) => nestedSection(context, child, own, items))}
      <p class="sent">${say('request')} <a href="${url}"><code translate="no">GET ${url}</code></a></p>
    </main>`;
  return page(frame, `${title} · ${frame.service}`, body, script(frame, 'browse.js'));
}
