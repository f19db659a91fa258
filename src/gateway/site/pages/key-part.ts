import { html } from 'hono/html';
import type { Frame } from './frame.ts';

/** A form for the key with which the page calls the API; `key.js` shows and keeps it. */
export const keyPart = ({ say }: Frame) => html`
      <form class="credential" hidden>
        <label data-while="missing">${say('key')} <input type="password" name="key" autocomplete="off" spellcheck="false" pattern="[!-~]+" required></label>
        <button class="button" data-while="missing">${say('use-key')}</button>
        <span role="status"><span data-while="given">${say('key-given')}</span></span>
        <button class="button quiet" type="reset" data-while="given">${say('forget-key')}</button>
        <p class="about">${say('key-about')}</p>
      </form>`;
