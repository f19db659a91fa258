/** What all pages have in common: the document around them, and the form for a key. */
import { html } from 'hono/html';
import { inLanguage, URLS } from '../../http/urls.ts';
import { type Language, languageName, writingDirection } from '../../locale/language.ts';
import type { Site } from '../content/service.ts';

export type Html = ReturnType<typeof html>;

export const markLanguage = (page: { readonly tag: string }, tag: string) =>
  tag === page.tag ? '' : html` lang="${tag}"`;

/** @returns a text that is marked if it is in another language than the page */
export const mark = (page: { readonly tag: string }, tag: string, text: string | Html): string | Html =>
  tag === page.tag ? text : html`<span lang="${tag}">${text}</span>`;

/** @param path the page's own, to which the switch of languages leads, unless `addresses` has one for a language */
export const createFrame = (
  path: string,
  { trees }: Pick<Site, 'trees'>,
  { tag, pages, base, isMounted }: Language,
  addresses: ReadonlyMap<string, string> = new Map(),
) => ({
  tag: pages.tag,
  service: pages.say('title'),
  say: (text: Parameters<typeof pages.say>[0]) => mark(pages, pages.tagAt(text), pages.say(text)),
  /** A text for an attribute or an option, which cannot be marked. */
  text: pages.say,
  languages: trees.map(({ language }) => ({
    tag: language.tag,
    address: addresses.get(language.tag) ?? inLanguage(base + path, language.tag),
    isCurrent: language.tag === tag,
    // The API may have a language that its pages do not have.
    isTranslated: language.tag === language.pages.tag,
  })),
  inTag: (path: string): string => inLanguage(base + path, tag),
  home: isMounted ? URLS.index : '/',
  assets: base + URLS.assets,
  isMounted,
});

export type Frame = ReturnType<typeof createFrame>;

/** @param label by default the URL, which reads from left to right in every language */
export const link = (url: string, label?: string | Html) =>
  html`<a href="${url}"${label === undefined ? html` dir="ltr"` : ''}>${label ?? url}</a>`;

export const script = ({ assets }: Frame, name: string) =>
  html`<script type="module" src="${assets}/${name}"></script>`;

/** @returns a whole document, with elements of the head that only this page has; every text in it is escaped */
export async function page(frame: Frame, title: string, body: Html, head: Html | '' = ''): Promise<string> {
  const { tag, say, text: plain, languages, inTag, home, assets } = frame;
  const others = languages.filter(({ isCurrent, isTranslated }) => isTranslated && !isCurrent);
  const choices = languages.map(
    (language) => html`
          <li><a href="${language.address}" hreflang="${language.tag}" lang="${language.tag}"${language.isCurrent ? html` aria-current="page"` : ''}>${languageName(language.tag)}</a></li>`,
  );
  const text = await html`<!doctype html>
<html lang="${tag}" dir="${writingDirection(tag)}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="${assets}/icon.svg" type="image/svg+xml">
    ${others.map((language) => html`<link rel="alternate" hreflang="${language.tag}" href="${language.address}">`)}
    ${head}
    <link rel="stylesheet" href="${assets}/style.css">
  </head>
  <body>
    <a class="skip" href="#main">${say('skip')}</a>
    <header class="bar">
      <div class="page">
        <a class="home" href="${inTag(home)}"><img src="${assets}/icon.svg" alt="" width="32" height="32">${say('title')}</a>
        <nav aria-label="${plain('languages')}">
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

export const keyForm = ({ say }: Frame) => html`
      <form class="credential" hidden>
        <label data-while="missing">${say('key')} <input type="password" name="key" autocomplete="off" spellcheck="false" pattern="[!-~]+" required></label>
        <button class="button" data-while="missing">${say('use-key')}</button>
        <span role="status"><span data-while="given">${say('key-given')}</span></span>
        <button class="button quiet" type="reset" data-while="given">${say('forget-key')}</button>
        <p class="about">${say('key-about')}</p>
      </form>`;
