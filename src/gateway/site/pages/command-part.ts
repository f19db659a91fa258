import { html } from 'hono/html';
import type { Frame } from './frame.ts';

/** A command with a button that copies it; without scripts there is no button. */
export const commandPart = (frame: Frame, command: string) => html`
            <div class="command">
              <pre><code translate="no" data-command>${command}</code></pre>
              <button type="button" class="button quiet copy" aria-live="polite" data-copied="${frame.say('copied')}" hidden>${frame.say('copy')}</button>
            </div>`;

/** JSON on several lines; the names of its members stand out. */
export const jsonPart = (json: string) =>
  json
    .split(/^( *"(?:[^"\\\n]|\\.)*")(?=: )/m)
    .map((part, at) => (at % 2 === 0 ? part : html`<span class="key">${part}</span>`));
