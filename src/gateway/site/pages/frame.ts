import { html } from 'hono/html';
import { URLS } from '../../http/urls.ts';
import type { PageText } from '../../texts/shown-text.ts';

type Html = ReturnType<typeof html>;

/** One language that a page can be read in. */
interface Choice {
  readonly tag: string;
  /** Its name in its own language. */
  readonly name: string;
  readonly address: string;
  readonly isCurrent: boolean;
  /** Whether the page is translated into it, and not only the API. */
  readonly isTranslated: boolean;
}

/** What every page has: its language, and the switch to the others. */
export interface Frame {
  /** The language of its texts. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** The name of the service. */
  readonly service: string;
  readonly say: (text: PageText) => string;
  readonly choices: readonly Choice[];
  /** URLs of two pages, in the language that was chosen. */
  readonly start: string;
  readonly documentation: string;
  /** @returns the URL of another page, in the language that was chosen */
  readonly inTag: (url: string) => string;
}

interface Content {
  readonly title: string;
  /** Elements of the head that only this page has. */
  readonly head?: Html;
  readonly body: Html;
}

const choice = ({ tag, name, address, isCurrent }: Choice) =>
  html`
          <li><a href="${address}" hreflang="${tag}" lang="${tag}"${isCurrent ? html` aria-current="page"` : ''}>${name}</a></li>`;

/** @returns the attribute that marks a text in another language than the page's */
export const langOf = (frame: Pick<Frame, 'tag'>, tag: string) => (tag === frame.tag ? '' : html` lang="${tag}"`);

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
