/** For `expect.extend` of vitest and jest; node:test needs none: `assertSaysTheSame` and `inEveryLanguage` throw. */
import type { Dictionary } from './dictionary.ts';
import { type AnyRequest, ask, type Service } from './every-language.ts';
import { type AnswerInLanguage, describeDifferences } from './same.ts';

/** @returns what `expect` wants to know of a comparison */
function judge(text: string) {
  return { pass: text === '', message: () => text || 'all languages say the same' };
}

export const matchers = {
  /** @param expected the same request in another language @param others as in `assertSaysTheSame` */
  toSayTheSameAs: (received: AnswerInLanguage, expected: AnswerInLanguage, others?: readonly Dictionary[]) =>
    judge(describeDifferences([received, expected], others)),

  /** @param received an app, or the origin of a service @param request in the words of any language */
  toAnswerAlike: async (received: Service, request: AnyRequest) =>
    judge(describeDifferences(await ask(received, request))),
};

/** What the matchers add to those of vitest and jest; `R` is what they return. */
export interface ParityMatchers<R = unknown> {
  toSayTheSameAs(expected: AnswerInLanguage, others?: readonly Dictionary[]): R;
  toAnswerAlike(request: AnyRequest): Promise<R>;
}
