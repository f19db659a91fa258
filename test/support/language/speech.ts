import { oncePer } from './once.ts';
import type { LocaleTable } from './translate.ts';

/** What may stand for a placeholder: nouns are the table's own, everything else depends on the request. */
const filling = (table: LocaleTable, name: string): string => {
  if (name !== 'the' && name !== 'of') return '[^]*';
  return `(?:${Object.values(table.nouns)
    .map((noun) => RegExp.escape(noun[name]))
    .join('|')})`;
};

const pattern = (table: LocaleTable, template: string): RegExp => {
  const parts = template.split(/\{(\w+)\}/);
  return new RegExp(
    `^${parts.map((part, at) => (at % 2 === 0 ? RegExp.escape(part) : filling(table, part))).join('')}$`,
    'u',
  );
};

const templates = ({ phrases }: LocaleTable): readonly string[] =>
  Object.values(phrases).flatMap((wording) => (typeof wording === 'string' ? [wording] : Object.values(wording)));

const patterns = oncePer((table: LocaleTable) => templates(table).map((template) => pattern(table, template)));

/** Whether a sentence is one of a language's phrases, filled in. A truncated list at its end has no full stop. */
export const isSpoken = (table: LocaleTable, sentence: string): boolean =>
  patterns(table).some((each) => each.test(sentence) || each.test(sentence.replace(/…$/, '….')));

/** How a language counts: the form of a phrase for a number, filled in. */
export const counted = (
  { tag, table }: { tag: string; table: LocaleTable },
  phrase: string,
  count: number,
  of = '',
): string => {
  const forms = table.phrases[phrase] ?? '';
  const form =
    typeof forms === 'string' ? forms : (forms[new Intl.PluralRules(tag).select(count)] ?? forms.other ?? '');
  return form.replace('{count}', String(count)).replace('{of}', of);
};
