import { html } from 'hono/html';
import { type Frame, langOf } from './frame.ts';

/** A text for people, and the tag of its language. */
export interface Label {
  readonly tag: string;
  readonly text: string;
}

/** Words of one kind: a row for each name, with a word of each language. */
export interface WordGroup {
  readonly heading: Label;
  readonly rows: readonly { readonly label: Label; readonly words: readonly Label[] }[];
}

const group = (frame: Frame, { heading, rows }: WordGroup, columns: number) => html`
          <tbody>
            <tr class="group"><th colspan="${columns}" scope="rowgroup"${langOf(frame, heading.tag)}>${heading.text}</th></tr>${rows.map(
              ({ label, words }) =>
                html`<tr><th scope="row"${langOf(frame, label.tag)}>${label.text}</th>${words.map(
                  ({ tag, text }) => html`<td${langOf(frame, tag)}><code translate="no">${text}</code></td>`,
                )}</tr>`,
            )}
          </tbody>`;

/** The words of all languages, side by side. */
export const wordsPart = (frame: Frame, groups: readonly WordGroup[]) => html`
      <section id="words">
        <h2 id="words-heading">${frame.say('words')}</h2>
        <p class="about">${frame.say('words-about')}</p>
        <div class="scroll" role="region" aria-labelledby="words-heading" tabindex="0">
        <table class="words">
          <thead>
            <tr><th scope="col">${frame.say('meaning')}</th>${frame.choices.map(
              ({ tag, name }) => html`<th scope="col" class="name"${langOf(frame, tag)}>${name}</th>`,
            )}</tr>
          </thead>${groups.map((each) => group(frame, each, frame.choices.length + 1))}
        </table>
        </div>
      </section>`;
