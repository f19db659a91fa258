/** The texts of a table for somebody who translates them, and back: each with its source, and with what the table had. */
import { isObject, type Json, readWord, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { messageParts, walkTexts, wordParts } from '../../gateway/locale/layers.ts';
import { findFaults, listPlaceholders, WORD } from '../../gateway/locale/table.ts';
import type { CommandText } from '../../gateway/texts/phrase.ts';
import { memoize } from '../../util/memoize.ts';
import context from './context.json' with { type: 'json' };
import { editJson } from './edit-json.ts';

/** A table that is translated: what its files say, and their names. */
export interface Target {
  readonly tag: string;
  readonly own: unknown;
  readonly file: string;
  readonly messages?: string | undefined;
}

/** A text as it is handed out. */
export interface Unit {
  readonly key: string;
  /** The place of the text: its key without the plural form. */
  readonly place: string;
  readonly file: string;
  readonly path: readonly string[];
  /** The plural form, if the text has several (CLDR). */
  readonly form?: string | undefined;
  readonly source: string;
  readonly note: string;
  readonly seen: string;
  /** The text that the table has; empty if it has none. */
  readonly present: string;
}

/** A text as it comes back; of a spreadsheet, `cell` is what is no text any more. */
export interface Row {
  readonly key: string;
  readonly source: string;
  /** The text that the table had when this one was handed out; `undefined` if a tool has lost it. */
  readonly present: string | undefined;
  readonly text: string | undefined;
  readonly cell?: string | undefined;
}

export interface Fault {
  readonly text: CommandText;
  readonly values: Readonly<Record<string, string>>;
}

function hasForms(text: unknown): text is Json {
  return isObject(text) && typeof text.other === 'string';
}

/** @returns the first whole numbers that have a plural form, for somebody who does not know what it is called */
function listNumbers(tag: string, form: string): string {
  const rules = new Intl.PluralRules(tag);
  const numbers = Array(1_000)
    .keys()
    .filter((number) => rules.select(number) === form);
  return [...numbers.take(3)].join(', ') || '1.5, 1000000';
}

function describe([part = '', , , name = '']: readonly string[], source: string, form?: string, numbers = '') {
  const { note, seen } = context.parts[part as keyof typeof context.parts];
  const names = listPlaceholders(source)
    .map((placeholder) => `{${placeholder}}`)
    .join(', ');
  const more = [
    ...(name.startsWith('schema') ? [context.typeName] : []),
    ...(names === '' ? [] : [context.placeholders.replace('{names}', names)]),
    ...(form ? [context.form.replace('{form}', form).replace('{numbers}', numbers)] : []),
  ];
  return { note: [note, ...more].join(' '), seen };
}

/** @returns every text of the source, with what a table has in its place; each plural form of its language is one */
export function listUnits(source: unknown, { tag, own, file, messages = file }: Target): readonly Unit[] {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  const numbers = memoize((form: string) => listNumbers(tag, form));
  return walkTexts(source, [...wordParts, ...messageParts]).flatMap(([entry, text]) => {
    const place = entry.join('.');
    const present = valueAt(own, ...entry);
    const isPlural = hasForms(text) || hasForms(present);
    const forms = isPlural ? [...new Set([...pluralCategories, ...Object.keys(hasForms(present) ? present : {})])] : [];
    return (isPlural ? forms : [undefined]).flatMap((form = ''): readonly Unit[] => {
      const from = hasForms(text) ? (text[form] ?? text.other) : readWord(text);
      if (typeof from !== 'string') return [];
      const more = hasForms(present) ? [form] : isObject(present) ? ['word'] : [];
      return [
        {
          key: form === '' ? place : `${place}.${form}`,
          place,
          file: messageParts.includes(entry[0] ?? '') ? messages : file,
          path: [...entry, ...more],
          ...(isPlural && { form }),
          source: from,
          ...describe(entry, from, form, form && numbers(form)),
          present: String(valueAt(own, ...entry, ...more) ?? ''),
        },
      ];
    });
  });
}

/** Texts that spreadsheet programs make of others which look like truths, dates, numbers or formulas, in some languages. */
const MANGLED =
  /^(?:TRUE|FALSE|VERDADERO|FALSO|VRAI|FAUX|WAHR|FALSCH|VERO|VERDADEIRO|CERT|FALS|#[\p{Lu}\d¡¿/!?]+|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[- ]\p{L}{3}\.?(?:[- ]\d{2,4})?|-?\d+(?:[.,]\d+)?E[+-]?\d+)$/u;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** @param forms are the names of the language's forms of nouns */
function findTextFault(
  { key, path, source }: Unit,
  { text = '', cell }: Row,
  forms: readonly string[],
): Fault | undefined {
  if (cell !== undefined || (MANGLED.test(text) && !MANGLED.test(source)))
    return { text: 'words-cell', values: { key, text: cell ?? text } };
  const [fault] = findFaults(
    text,
    listPlaceholders(source),
    ['phrases', 'derived'].includes(path[0] ?? '') ? forms : [],
  );
  if (fault !== undefined) return { text: 'words-placeholders', values: { key, fault } };
  const [lost, gained] = [/["'`]/g, /[“”‘’´]/g].map((quotes) => count(text, quotes) - count(source, quotes));
  if (Number(lost) < 0 && Number(gained) > 0) return { text: 'words-quotes', values: { key, text } };
  if (text.trim() !== text.replace(/\n$/, '') || (/\S {2}\S|\t/.test(text) && !/\S {2}\S|\t/.test(source)))
    return { text: 'words-spaces', values: { key } };
  const [part = ''] = path;
  const isWord = wordParts.includes(part) && part !== 'choices';
  return isWord && !WORD.test(text) ? { text: 'words-word', values: { key, text } } : undefined;
}

function collapseBlanks(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function compareRow(unit: Unit, row: Row, forms: readonly string[]): Fault | undefined {
  const { key, source, present } = unit;
  // Tools may lose blanks at the ends of a text, and break its lines anew.
  if (collapseBlanks(row.source) !== collapseBlanks(source)) return { text: 'words-source', values: { key, source } };
  if (row.present !== undefined && row.present !== present)
    return { text: 'words-conflict', values: { key, present: present || '–' } };
  return findTextFault(unit, row, forms);
}

function normalizeText(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize();
}

/** @returns a text with the line break at its end that the source has, if it has one */
function restoreLineBreak(text: string, { source = '' }: Partial<Unit> = {}): string {
  return source.endsWith('\n') && text !== '' ? text.replace(/\n?$/, '\n') : text;
}

/**
 * Compares three states of each text: what the table had when it was handed out, what it has now, and what comes back.
 *
 * @param forms are the names of the language's forms of nouns
 * @returns the new texts by key, and what is wrong with others
 */
export function compareRows(units: readonly Unit[], rows: readonly Row[], forms: readonly string[]) {
  const unitsByKey = new Map(units.map((unit) => [unit.key, unit]));
  const texts = new Map<string, string>();
  const faults: Fault[] = [];
  for (const original of rows) {
    const { key } = original;
    const unit = unitsByKey.get(key);
    const text = restoreLineBreak(normalizeText(original.text ?? ''), unit);
    const present = original.present === undefined ? undefined : normalizeText(original.present);
    const row = { ...original, source: normalizeText(original.source), present, text };
    if (!unit) faults.push({ text: 'words-unknown', values: { key } });
    else if (row.cell === undefined && ['', present, unit.present].includes(text)) continue;
    else if (texts.has(key) && texts.get(key) !== text) faults.push({ text: 'words-repeated', values: { key } });
    else {
      const fault = compareRow(unit, row, forms);
      if (fault) faults.push(fault);
      else texts.set(key, text);
    }
  }
  return { texts, faults };
}

/** @param files the texts of the files of a table. @returns them with other texts of the table, in the order and the form that they had */
export function changeFiles(
  files: Readonly<Record<string, string>>,
  units: readonly Unit[],
  texts: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const whole = [...Map.groupBy(units, ({ path }) => path.join('.')).values()];
  const edits = whole
    .filter((all) => all.some(({ key }) => texts.has(key)))
    .map((all) => {
      const forms = all.map(({ key, form = '', present }) => [form, texts.get(key) ?? present] as const);
      const [{ file = '', path = [], form } = {}] = all;
      const isText = form === undefined || path.at(-1) === form;
      const value = isText ? forms[0]?.[1] : Object.fromEntries(forms.filter(([, text]) => text !== ''));
      return { file, edit: [path, value] as const };
    });
  const change = (name: string, text: string): string =>
    editJson(
      text,
      edits.flatMap(({ file, edit }) => (file === name ? [edit] : [])),
    );
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, change(name, text)]));
}
