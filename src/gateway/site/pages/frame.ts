import { html } from 'hono/html';
import { inLanguage, URLS, urlsIn } from '../../http/urls.ts';
import type { Language } from '../../locale/language.ts';
import { autonymOf, directionOf } from '../../locale/names.ts';
import type { Site } from '../content/service.ts';

type Html = ReturnType<typeof html>;

/**
 * What every page has: its language, and the switch to the others.
 *
 * @param path the page's own, to which the switch leads
 */
export const frameOf = ({ trees }: Site, path: string, { tag, pages }: Language) => ({
  /** The language of its texts. */
  tag: pages.tag,
  direction: directionOf(pages.tag),
  /** The name of the service. */
  service: pages.say('title'),
  say: pages.say,
  choices: trees.map(({ language }) => ({
    tag: language.tag,
    name: autonymOf(language.tag),
    address: inLanguage(path, language.tag),
    isCurrent: language.tag === tag,
    /** Whether the page is translated into it, and not only the API. */
    isTranslated: language.tag === language.pages.tag,
  })),
  /** URLs of two pages, in the language that was chosen. */
  start: inLanguage('/', tag),
  documentation: urlsIn({ tag }).documentation,
  /** @returns the URL of another page, in the language that was chosen */
  inTag: (url: string): string => inLanguage(url, tag),
});

export type Frame = ReturnType<typeof frameOf>;

interface Content {
  readonly title: string;
  /** Elements of the head that only this page has. */
  readonly head?: Html | undefined;
  readonly body: Html;
}

const choice = ({ tag, name, address, isCurrent }: Frame['choices'][number]) =>
  html`
          <li><a href="${address}" hreflang="${tag}" lang="${tag}"${isCurrent ? html` aria-current="page"` : ''}>${name}</a></li>`;

/** @returns the element that loads a script */
export const script = (name: string) => html`<script type="module" src="${URLS.assets}/${name}"></script>`;

/** @returns the attribute that marks a text in another language than the page's */
export const langOf = (frame: Pick<Frame, 'tag'>, tag: string) => (tag === frame.tag ? '' : html` lang="${tag}"`);

/** A form for the key with which the page calls the API; `key.js` shows and keeps it. */
export const keyPart = ({ say }: Frame) => html`
      <form class="credential" hidden>
        <label data-while="missing">${say('key')} <input type="password" name="key" autocomplete="off" spellcheck="false" pattern="[!-~]+" required></label>
        <button class="button" data-while="missing">${say('use-key')}</button>
        <span role="status"><span data-while="given">${say('key-given')}</span></span>
        <button class="button quiet" type="reset" data-while="given">${say('forget-key')}</button>
        <p class="about">${say('key-about')}</p>
      </form>`;

/** @returns a whole document; every text in it is escaped */
export const page = async (frame: Frame, { title, head, body }: Content): Promise<string> => {
  const { tag, direction, service, say, choices, start } = frame;
  const others = choices.filter(({ isCurrent, isTranslated }) => isTranslated && !isCurrent);
  const text = await html`<!doctype html>
<html lang="${tag}" dir="${direction}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="${URLS.assets}/icon.svg" type="image/svg+xml">
    ${others.map((each) => html`<link rel="alternate" hreflang="${each.tag}" href="${each.address}">`)}
    ${head ?? ''}
    <link rel="stylesheet" href="${URLS.assets}/style.css">
  </head>
  <body>
    <a class="skip" href="#main">${say('skip')}</a>
    <header class="bar">
      <div class="page">
        <a class="home" href="${start}"><img src="${URLS.assets}/icon.svg" alt="" width="32" height="32">${service}</a>
        <nav aria-label="${say('languages')}">
          <ul>${choices.map(choice)}
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
};
