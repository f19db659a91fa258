import { html } from 'hono/html';
import { commandPart, jsonPart } from './command-part.ts';
import { type Frame, langOf } from './frame.ts';

/** A command in one language, and the response to it. */
export interface ExchangeCommand {
  readonly tag: string;
  /** The language's name in that language. */
  readonly name: string;
  readonly request: string;
  readonly status: number;
  readonly response: string;
}

/** One step of the exchange, in every language. */
export interface ExchangeStep {
  readonly name: 'create' | 'read' | 'mistake';
  readonly commands: readonly ExchangeCommand[];
}

const side = (frame: Frame, step: ExchangeStep, { tag, name, request, status, response }: ExchangeCommand) => html`
          <article class="side" aria-labelledby="${step.name}-${tag}">
            <h4 id="${step.name}-${tag}" class="name"${langOf(frame, tag)}>${name}</h4>${commandPart(frame, request)}
            <p class="status">${frame.say('response')} <span class="${status < 400 ? 'good' : 'bad'}">${status}</span></p>
            <pre class="response"${langOf(frame, tag)}><code translate="no">${jsonPart(response)}</code></pre>
          </article>`;

const stepPart = (frame: Frame, step: ExchangeStep) => html`
        <section class="step" aria-labelledby="${step.name}">
          <h3 id="${step.name}">${frame.say(step.name)}</h3>
          <p class="about">${frame.say(`${step.name}-about`)}</p>
          <div class="sides">${step.commands.map((command) => side(frame, step, command))}
          </div>
        </section>`;

/** The same exchange in every language, side by side. */
export const exchangePart = (frame: Frame, steps: readonly ExchangeStep[]) =>
  steps.length === 0
    ? ''
    : html`
      <section id="exchange" aria-labelledby="exchange-heading">
        <h2 id="exchange-heading">${frame.say('exchange')}</h2>
        <p class="about">${frame.say('exchange-about')}</p>${steps.map((step) => stepPart(frame, step))}
      </section>`;
