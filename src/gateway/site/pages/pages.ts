import { readFile } from 'node:fs/promises';
import { html } from 'hono/html';
import { inLanguage, problemPath, type Tree, URLS, urlsIn } from '../../http/urls.ts';
import { type Language, languageName, valuesIn, writingDirection } from '../../locale/language.ts';
import type { Access } from '../../model/access.ts';
import type { Collection } from '../../model/catalogue.ts';
import type { Field } from '../../model/field.ts';
import type { Problem, ProblemCode } from '../../texts/problem.ts';
import {
  explainProblem,
  explainProblems,
  findRange,
  findTree,
  type ServiceIndex,
  type Site,
  topCollections,
} from '../content/service.ts';

type Html = ReturnType<typeof html>;

const browser = new URL('browser/', import.meta.url);

/** An archive contains files of Swagger UI; the repository has its package. */
export function readAsset(name: string): Promise<Buffer<ArrayBuffer>> {
  if (!name.startsWith('swagger-ui')) return readFile(new URL(name, browser));
  return readFile(new URL(`swagger-ui/${name}`, browser)).catch(() =>
    readFile(new URL(name, import.meta.resolve('swagger-ui-dist/swagger-ui.css'))),
  );
}

/** @param path the page's own, to which the switch of languages leads */
const createFrame = (path: string, { trees }: Site, { tag, pages, base, isMounted }: Language) => ({
  tag: pages.tag,
  service: pages.say('title'),
  say: pages.say,
  languages: trees.map(({ language }) => ({
    tag: language.tag,
    address: inLanguage(base + path, language.tag),
    isCurrent: language.tag === tag,
    // The API may have a language that its pages do not have.
    isTranslated: language.tag === language.pages.tag,
  })),
  inTag: (path: string): string => inLanguage(base + path, tag),
  home: isMounted ? URLS.index : '/',
  assets: base + URLS.assets,
  isMounted,
});

type Frame = ReturnType<typeof createFrame>;

/** @param label by default the URL, which reads from left to right in every language */
const link = (url: string, label?: string) =>
  html`<a href="${url}"${label === undefined ? html` dir="ltr"` : ''}>${label ?? url}</a>`;

const script = ({ assets }: Frame, name: string) => html`<script type="module" src="${assets}/${name}"></script>`;

const markLanguage = (frame: Frame, tag: string) => (tag === frame.tag ? '' : html` lang="${tag}"`);

/** @returns a whole document, with elements of the head that only this page has; every text in it is escaped */
async function page(frame: Frame, title: string, body: Html, head: Html | '' = ''): Promise<string> {
  const { tag, service, say, languages, inTag, home, assets } = frame;
  const others = languages.filter(({ isCurrent, isTranslated }) => isTranslated && !isCurrent);
  const choices = languages.map(
    (each) => html`
          <li><a href="${each.address}" hreflang="${each.tag}" lang="${each.tag}"${each.isCurrent ? html` aria-current="page"` : ''}>${languageName(each.tag)}</a></li>`,
  );
  const text = await html`<!doctype html>
<html lang="${tag}" dir="${writingDirection(tag)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
    ${others.map((each) => html`<link rel="alternate" hreflang="${each.tag}" href="${each.address}">`)}
    ${head}
    <link rel="stylesheet" href="${assets}/style.css">
  </head>
  <body>
    <a class="skip" href="#main">${say('skip')}</a>
    <header class="bar">
      <div class="page">
        <a class="home" href="${inTag(home)}"><img src="${assets}/icon.svg" alt="" width="32" height="32">${service}</a>
        <nav aria-label="${say('languages')}">
          <ul>${choices}
          </ul>
        </nav>
      </div>
    </header>
    ${body}
  </body>
</html>
`;
  // Indentation is for readers of the source. Lines inside `<pre>` begin with text, never with a tag.
  return String(text).replaceAll(/\n *(?=[<\n])/g, '\n');
}

const keyForm = ({ say }: Frame) => html`
      <form class="credential" hidden>
        <label data-while="missing">${say('key')} <input type="password" name="key" autocomplete="off" spellcheck="false" pattern="[!-~]+" required></label>
        <button class="button" data-while="missing">${say('use-key')}</button>
        <span role="status"><span data-while="given">${say('key-given')}</span></span>
        <button class="button quiet" type="reset" data-while="given">${say('forget-key')}</button>
        <p class="about">${say('key-about')}</p>
      </form>`;

const SAMPLE = 10;

/** @returns the name of a field for people, its unit in brackets, a currency by its sign, and both together */
function describeLabel(language: Language, collection: Collection, { name: field, unit = '' }: Field) {
  const style = { style: 'currency', currency: unit, currencyDisplay: 'narrowSymbol' } as const;
  const parts = /^[A-Z]{3}$/.test(unit) ? new Intl.NumberFormat(language.tag, style).formatToParts(0) : [];
  const sign = parts.find(({ type }) => type === 'currency')?.value ?? unit;
  const name = language.label(collection, field).replace(` (${unit})`, '');
  const brackets = sign === '' ? '' : ` (${sign})`;
  return { name, brackets, label: name + brackets };
}

/** Describes a list of the API, and the words with which it is filtered, sorted and paged: what the table's script reads. */
function describeTable({ say }: Frame, { language, paths }: Tree, collection: Collection) {
  const { tag, pages, parameters, directions } = language;
  const { word } = language.fields(collection);
  return {
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
    unreachable: pages.labels['Failed to fetch'] ?? '',
    search: collection.fields.some(({ searchable }) => searchable) ? parameters.word('search') : undefined,
    // What identifies an item comes first.
    columns: [collection.key, ...collection.fields.filter(({ isKey }) => !isKey)].map((field) => ({
      word: word(field.name),
      ...describeLabel(language, collection, field),
      kind: field.kind,
      scale: field.scale,
      control: valuesIn(language, collection, field).control,
      ends: Object.values(findRange(language, collection, field) ?? {}),
      isCommon: field.indexed && !field.isKey,
    })),
    yes: say('yes'),
    no: say('no'),
  };
}

type Table = ReturnType<typeof describeTable>;
type Column = Table['columns'][number];

/** @returns an input that stays off without scripts: unlike a filter, it must not be sent empty */
const input = (word: string, control: Column['control'] | 'search') =>
  html`<input name="${word}" autocomplete="off" ${control === 'search' || control === 'date' ? 'type' : 'inputmode'}="${control}" disabled>`;

function filterInput({ say }: Frame, { word, control }: Column) {
  if (typeof control === 'string' && control !== 'flag') return html`<input name="${word}" autocomplete="off">`;
  const flags = [
    ['true', say('yes')],
    ['false', say('no')],
  ];
  const options = control === 'flag' ? flags : control.map((each) => [each, each]);
  return html`<select name="${word}">${[['', say('any')], ...options].map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select>`;
}

const labelled = (frame: Frame, tag: string, label: string, word: string, control: Html) => html`
            <label><span${markLanguage(frame, tag)}>${label}</span> <code translate="no">${word}</code>${control}</label>`;

function fieldFilter(frame: Frame, tag: string, column: Column) {
  const { word, name, brackets, label, ends, control } = column;
  if (ends.length === 0) return labelled(frame, tag, label, word, filterInput(frame, column));
  return (['range-from', 'range-to'] as const).map((text, at) =>
    labelled(frame, tag, `${name} ${frame.say(text)}${brackets}`, ends[at] ?? '', input(ends[at] ?? '', control)),
  );
}

const fieldFilters = (frame: Frame, { tag, columns }: Table, isCommon: boolean) =>
  columns.filter((column) => column.isCommon === isCommon).map((column) => fieldFilter(frame, tag, column));

const heading = (frame: Frame, { tag }: Table, { word, label, kind, isCommon }: Column) => html`
                <th scope="col" class="${kind}${isCommon ? ' common' : ''}"><button type="button" data-sort="${word}"${kind === 'list' ? html` disabled` : ''}${markLanguage(frame, tag)}>${label}</button></th>`;

/** The API itself filters the table, even without scripts, when the form leads to its response. Empty until a key is given if `isHidden`. */
function tableSection(frame: Frame, tree: Tree, collection: Collection, isHidden = false) {
  const table = describeTable(frame, tree, collection);
  const { list, size, page, search, columns } = table;
  const { say } = frame;
  const first = `${list}?${encodeURIComponent(size.word)}=${size.count}&${encodeURIComponent(page)}=1`;
  return html`
      <section id="browse"${isHidden ? html` hidden` : ''} data-browsing="${JSON.stringify(table)}">
        <h2 id="browse-heading">${say('browse')}</h2>
        <p class="about">${say('browse-about')}</p>
        <form class="filter" action="${list}">
          <div class="fields">${search ? labelled(frame, frame.tag, say('search'), search, input(search, 'search')) : ''}${fieldFilters(frame, table, true)}
          </div>
          <details>
            <summary>${say('more-fields')}</summary>
            <div class="fields">${fieldFilters(frame, table, false)}
            </div>
          </details>
          <input type="hidden" name="${size.word}" value="${size.count}">
          <input type="hidden" name="${page}" value="1">
          <p class="actions">
            <button class="button">${say('filter')}</button>
            <button class="button quiet" type="reset">${say('clear')}</button>
          </p>
        </form>
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
                <tr>${columns.map((each) => heading(frame, table, each))}
                </tr>
              </thead>
              <tbody></tbody>
            </table>
          </div>
          <p class="none unmatched" hidden>${say('none-match')}</p>
          <p class="none empty" hidden>${say('none-yet')}</p>
        </div>
      </section>`;
}

/** Lists are limited, because a browser should not load all of one. */
function linksItem(frame: Frame, site: Site, own: ServiceIndex['languages'][number]) {
  const { say } = frame;
  const { parameters } = findTree(site, own).language;
  const sample = `?${encodeURIComponent(parameters.word('number_of_elements'))}=${SAMPLE}`;
  const lists = Object.values(own.collections).map((url) => html`<a href="${url + sample}" dir="ltr">${url}</a> · `);
  return html`
          <li><span${markLanguage(frame, own.tag)}>${own.name}</span>: ${lists}${link(own.documentation, say('documentation'))} · ${link(own.openapi, say('openapi'))} · ${link(own.dictionary, say('dictionary'))}</li>`;
}

const linksSection = (frame: Frame, site: Site, { languages }: ServiceIndex) => html`
      <details class="fold">
        <summary><h2>${frame.say('trees')}</h2></summary>
        <ul>${languages.map((each) => linksItem(frame, site, each))}
          <li>${link(frame.inTag(URLS.problems), frame.say('problems'))}</li>
          ${frame.isMounted ? '' : html`<li>${frame.say('health')} ${link(URLS.ready)}</li>`}
          <li>${frame.say('as-json')}</li>
        </ul>
      </details>`;

export function indexPage(site: Site, path: string, language: Language, index: ServiceIndex): Promise<string> {
  const frame = createFrame(path, site, language);
  const tops = topCollections(site.catalogue);
  const totals = tops.map((each) => language.pages.total(each, index.totals[each.name] ?? 0));
  const [first] = tops;
  const body = html`
    <main id="main" class="page">
      <div class="hero">
        <h1>${index.title}</h1>
        <p class="lead">${index.description}</p>
        <p class="totals">${totals.join(' · ')}</p>
        <p class="actions"><a class="button" href="${urlsIn(language).documentation}">${frame.say('documentation')}</a></p>
      </div>${first ? tableSection(frame, findTree(site, language), first) : ''}${linksSection(frame, site, index)}
    </main>`;
  return page(frame, index.title, body, first ? script(frame, 'browse.js') : '');
}

/** Writes Swagger UI on one language's document. Its script reads its data from attributes, because inline scripts are forbidden. */
export function docsPage(site: Site & { readonly access: Access }, language: Language): Promise<string> {
  const frame = createFrame(URLS.documentation, site, language);
  const { say, service, inTag, assets } = frame;
  const { openapi } = urlsIn(language);
  const { labels } = language.pages;
  const errors = `[${say('problems')}](${inTag(URLS.problems)})`;
  const body = html`
    <main id="main" class="page">
      <h1>${say('documentation')}</h1>
      <p class="lead">${say('try-out')}</p>
      <p>${link(openapi, say('openapi'))}</p>
      ${site.access === 'open' ? '' : keyForm(frame)}
      <noscript><p>${say('needs-script')} ${link(openapi)}</p></noscript>
      <div id="swagger-ui"${markLanguage(frame, language.documents.tag)} data-openapi="${openapi}" data-labels="${JSON.stringify(labels)}" data-errors="${errors}"><p>${labels.loading ?? ''}</p></div>
    </main>`;
  return page(
    frame,
    `${say('documentation')} · ${service}`,
    body,
    html`<link rel="stylesheet" href="${assets}/swagger-ui.css">
    <link rel="stylesheet" href="${assets}/docs.css">
    <script src="${assets}/swagger-ui-bundle.js" defer></script>
    ${script(frame, 'docs.js')}`,
  );
}

const codeLine = (status: number, code: string) => html`
      <p class="codes"><span class="bad">${status}</span> <code translate="no">${code}</code></p>`;

/** The explanation may be in another language than the page. */
export function problemPage(site: Site, language: Language, code: ProblemCode): Promise<string> {
  const frame = createFrame(problemPath(code), site, language);
  const { say, service, inTag } = frame;
  const { title, status, detail } = explainProblem(language, code);
  const lang = markLanguage(frame, language.tag);
  const body = html`
    <main id="main" class="page narrow">
      <p>${link(inTag(URLS.problems), say('problems'))}</p>
      <h1${lang}>${title}</h1>${codeLine(status, code)}
      <section>
        <h2>${say('explanation')}</h2>
        <p class="lead"${lang}>${detail}</p>
      </section>
      <section>
        <h2>${say('remedy')}</h2>
        <p class="lead"${lang}>${language.problem(code).remedy}</p>
      </section>
    </main>`;
  return page(frame, `${title} · ${service}`, body);
}

export function problemsPage(site: Site, language: Language): Promise<string> {
  const frame = createFrame(URLS.problems, site, language);
  const { say, service, inTag } = frame;
  const lang = markLanguage(frame, language.tag);
  const rows = explainProblems(language).map(
    ({ title, status, code }) => html`
            <tr><td class="integer">${status}</td><td><a href="${inTag(problemPath(code))}"${lang}>${title}</a></td><td><code translate="no">${code}</code></td></tr>`,
  );
  const body = html`
    <main id="main" class="page narrow">
      <h1>${say('problems')}</h1>
      <p class="lead">${say('problems-about')}</p>
      <section>
        <div class="scroll" role="region" aria-label="${say('problems')}" tabindex="0">
        <table class="codes">
          <thead>
            <tr><th scope="col" class="integer">${say('status')}</th><th scope="col">${say('meaning')}</th><th scope="col">${say('code')}</th></tr>
          </thead>
          <tbody>${rows}
          </tbody>
        </table>
        </div>
      </section>
    </main>`;
  return page(frame, `${say('problems')} · ${service}`, body);
}

/** Writes the page for people whose request is refused. Whoever lacks a key can give one, and then sees the list. */
export function refusalPage(site: Site, language: Language, { code, detail, suggestion }: Problem): Promise<string> {
  const frame = createFrame('/', site, language);
  const { say, service, inTag } = frame;
  const { title, status } = explainProblem(language, code);
  const isKeyMissing = code === 'unauthorized';
  const [first] = isKeyMissing ? topCollections(site.catalogue) : [];
  const lang = markLanguage(frame, language.tag);
  const body = html`
    <main id="main" class="page">
      <h1${lang}>${title}</h1>
      <p class="lead"${lang}>${language.format(detail)}</p>${codeLine(status, code)}${suggestion?.startsWith('/') ? html`<p>${link(suggestion)}</p>` : ''}${isKeyMissing ? keyForm(frame) : ''}
      <p class="about">${say('summary')}</p>
      <p class="actions">
        ${isKeyMissing ? '' : html`<a class="button" href="${inTag(frame.home)}">${service}</a>`}
        <a class="button quiet" href="${urlsIn(language).documentation}">${say('documentation')}</a>
        <a class="button quiet" href="${inTag(URLS.problems)}">${say('problems')}</a>
      </p>${first ? tableSection(frame, findTree(site, language), first, true) : ''}
    </main>`;
  return page(frame, `${title} · ${service}`, body, script(frame, first ? 'browse.js' : 'key.js'));
}
