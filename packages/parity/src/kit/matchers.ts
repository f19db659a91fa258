/** For `expect.extend` of vitest and jest; node:test needs none: `assertSaysTheSame` and `inEveryLanguage` throw. */
import type { Dictionary } from './dictionary.ts';
import { type AnyRequest, ask, describeDifferences, type Service } from './every-language.ts';
import { type AnswerInLanguage, explainDifferences } from './same.ts';

export const matchers = {
  /** @param expected the same request in another language @param others as in `assertSaysTheSame` */
  toSayTheSameAs(received: AnswerInLanguage, expected: AnswerInLanguage, others?: readonly Dictionary[]) {
    const text = explainDifferences(received, expected, others);
    const [one, other] = [received.language.tag, expected.language.tag];
    return { pass: text === '', message: () => text || `${one} says the same as ${other}` };
  },

  /** @param received an app, or the origin of a service @param request in the words of any language */
  async toAnswerAlike(received: Service, request: AnyRequest) {
    const text = describeDifferences(await ask(received, request));
    return { pass: text === '', message: () => text || 'all languages say the same' };
  },
};

/** What the matchers add to those of vitest and jest; `R` is what they return. */
export interface ParityMatchers<R = unknown> {
  toSayTheSameAs(expected: AnswerInLanguage, others?: readonly Dictionary[]): R;
  toAnswerAlike(request: AnyRequest): Promise<R>;
}
