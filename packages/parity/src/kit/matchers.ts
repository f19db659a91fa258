/** For `expect.extend` of vitest and jest; node:test needs none: `assertSaysTheSame` and `inEveryLanguage` throw. */
import type { Dictionary } from './dictionary.ts';
import { type AnyRequest, ask, describeDifferences, type Service } from './every-language.ts';
import { differences, formatDifferences, type Spoken } from './same.ts';

export const matchers = {
  /** @param expected the same request in another language @param others as in `assertSaysTheSame` */
  toSayTheSameAs(received: Spoken, expected: Spoken, others?: readonly Dictionary[]) {
    const all = differences(received, expected, others);
    return {
      pass: all.length === 0,
      message: () =>
        all.length === 0
          ? `${received.language.tag} says the same as ${expected.language.tag}`
          : `${expected.language.tag} does not say the same as ${received.language.tag}\n${formatDifferences(all)}`,
    };
  },

  /** @param received an app, or the origin of a service @param request in the words of any language */
  async toAnswerAlike(received: Service, request: AnyRequest) {
    const text = describeDifferences(await ask(received, request));
    return { pass: text === '', message: () => text || 'all languages say the same' };
  },
};

/** What the matchers add to those of vitest and jest; `R` is what they return. */
export interface ParityMatchers<R = unknown> {
  toSayTheSameAs(expected: Spoken, others?: readonly Dictionary[]): R;
  toAnswerAlike(request: AnyRequest): Promise<R>;
}
