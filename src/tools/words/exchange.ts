/** The texts of a table for somebody who translates them, and back: each with its source, and with what the table had. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, readWord, valueAt } from '../../../packages/vocabularies/src/words.ts';
import { listSentences } from '../../gateway/locale/chain.ts';
import { messageParts, wordParts } from '../../gateway/locale/layers.ts';
import { WORD } from '../../gateway/locale/table.ts';
import type { CommandText } from '../../gateway/texts/phrase.ts';
import { digestSentence, writeDigests } from '../../host/tables/survey.ts';
import context from './context.json' with { type: 'json' };
import { editJson } from './edit-json.ts';

/** A text as it is handed out. */
export interface Unit {
  readonly key: string;
  /** The file of the table, below its folder. */
  readonly file: string;
  readonly path: readonly string[];
  /** The plural form, if the text has several (CLDR). */
  readonly form?: string;
  readonly source: string;
  readonly note: string;
  readonly seen: string;
  /** What the table has; empty if it has nothing. */
  readonly present: string;
  /** The place of a sentence, and the digest of what it is translated from; words have none. */
  readonly origin?: readonly [place: string, digest: string] | undefined;
}

/** A text as it comes back; of a spreadsheet, `cell` is what is no text any more. */
export interface Row {
  readonly key: string;
  readonly source: string;
  /** What the table had when the text was handed out; `undefined` if a tool has lost that. */
  readonly present: string | undefined;
  readonly text: string | undefined;
  readonly cell?: string | undefined;
}

export interface Fault {
  readonly text: CommandText;
  readonly values: Readonly<Record<string, string>>;
}

/** A table as its files are, by their names below the folder. */
export type Files = Readonly<Record<string, string>>;

const NOT_HANDED_OUT = ['$schema', 'csv', 'booleans', 'synonyms'];

/** @returns the files of a table, its words first, by their names below the folder; those that are not there are empty ones */
export function readFiles(folder: string, tag: string): Files {
  const place = !existsSync(join(folder, `${tag}.json`)) && existsSync(join(folder, `more/${tag}.json`)) ? 'more/' : '';
  const schemas = { [`${place}${tag}.json`]: 'locale', [`${place}messages/${tag}.json`]: 'messages' };
  const files = Object.entries(schemas).map(([file, schema]) => {
    const path = join(folder, file);
    const empty = `{\n  "$schema": "./${schema}.schema.json"\n}\n`;
    return [file, existsSync(path) ? readFileSync(path, 'utf8') : empty];
  });
  return Object.fromEntries(files);
}

/** A text of a table, or the plural forms of one, at its path. */
type Place = readonly [path: readonly string[], text: unknown];

function hasForms(text: unknown): text is Json {
  return isObject(text) && typeof text.other === 'string';
}

function listPlaces(part: unknown, path: readonly string[] = []): readonly Place[] {
  const word = readWord(part);
  if (word !== undefined) return [[path, word]];
  if (hasForms(part)) return [[path, part]];
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([name, each]) => listPlaces(each, [...path, name]));
}

/** @returns the first whole numbers that have a plural form, for somebody who does not know what it is called */
function listNumbers(tag: string, form: string): string {
  const rules = new Intl.PluralRules(tag);
  const numbers = [...Array(1_000).keys()].filter((number) => rules.select(number) === form);
  return numbers.slice(0, 3).join(', ') || '1.5, 1000000';
}

function describe(path: readonly string[], source: string, tag: string, form: string | undefined) {
  const [part = '', , , name = ''] = path;
  const { note, seen } = context.parts[part as keyof typeof context.parts] ?? context.other;
  const names = listPlaceholders(source).join(', ');
  const more = [
    ...(name.startsWith('schema') ? [context.typeName] : []),
    ...(names === '' ? [] : [context.placeholders.replace('{names}', names)]),
    ...(form ? [context.form.replace('{form}', form).replace('{numbers}', listNumbers(tag, form))] : []),
  ];
  return { note: [note, ...more].join(' '), seen };
}

function listPlaceholders(text: string): readonly string[] {
  return [...new Set(text.match(/\{[^{}]*\}/g))].sort();
}

/** @returns every text of the source, with what a language has in its place; each plural form of the language is one */
export function listUnits(sourceFiles: Files, files: Files, tag: string): readonly Unit[] {
  const [wordsFile = '', messagesFile = ''] = Object.keys(files);
  const [words, messages] = Object.values(files).map((text): unknown => JSON.parse(text));
  // An old table has its sentences beside its words.
  const findFile = (part: string): string =>
    messageParts.includes(part) && valueAt(words, part) === undefined ? messagesFile : wordsFile;
  const sourceTable = Object.assign({}, ...Object.values(sourceFiles).map((text): object => JSON.parse(text)));
  const sentences = listSentences(sourceTable);
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  const pluralForms = Object.fromEntries(pluralCategories.map((form) => [form, '']));
  return listPlaces(sourceTable)
    .filter(([[part = '']]) => !NOT_HANDED_OUT.includes(part))
    .flatMap(([entry, source]) => {
      const own = valueAt(words, ...entry) ?? valueAt(messages, ...entry);
      const path = valueAt(own, 'word') === undefined ? entry : [...entry, 'word'];
      const place = entry.join('.');
      const sentence = sentences.get(place);
      const shared = {
        file: findFile(entry[0] ?? ''),
        ...(sentence !== undefined && { origin: [place, digestSentence(sentence)] as const }),
      };
      const forms = Object.keys({
        ...((hasForms(source) || hasForms(own)) && pluralForms),
        ...(hasForms(own) && own),
      });
      return (forms.length > 0 ? forms : [undefined]).map((form): Unit => {
        const text = String(hasForms(source) ? (source[form ?? 'other'] ?? source.other) : source);
        const present = hasForms(own) ? valueAt(own, form ?? 'other') : readWord(own);
        const key = [...entry, ...(form ? [form] : [])].join('.');
        return {
          key,
          ...shared,
          path: form && hasForms(own) ? [...path, form] : path,
          ...(form && { form }),
          source: text,
          ...describe(entry, text, tag, form),
          present: String(present ?? ''),
        };
      });
    });
}

/** What spreadsheet programs in some languages make of a text that looks like a truth, a date, a number or a formula. */
const MANGLED =
  /^(?:TRUE|FALSE|VERDADERO|FALSO|VRAI|FAUX|WAHR|FALSCH|VERO|VERDADEIRO|CERT|FALS|#[\p{Lu}\d¡¿/!?]+|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{1,2}[- ]\p{L}{3}\.?(?:[- ]\d{2,4})?|-?\d+(?:[.,]\d+)?E[+-]?\d+)$/u;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function findTextFault({ key, path, source }: Unit, { text = '', cell }: Row): Fault | undefined {
  if (cell !== undefined || (MANGLED.test(text) && !MANGLED.test(source)))
    return { text: 'words-cell', values: { key, text: cell ?? text } };
  const [wanted = '', names = ''] = [source, text].map((each) => listPlaceholders(each).join(' '));
  // "One car" is a plural form, too.
  const [least, own] = [wanted, names].map((each) => each.replace(/ ?\{count\}/, '').trim());
  if (least !== own) return { text: 'words-placeholders', values: { key, wanted: wanted || '–', names: names || '–' } };
  const [lost, gained] = [/["'`]/g, /[“”‘’´]/g].map((quotes) => count(text, quotes) - count(source, quotes));
  if (Number(lost) < 0 && Number(gained) > 0) return { text: 'words-quotes', values: { key, text } };
  if (text.trim() !== text.replace(/\n$/, '') || (/\S {2}\S|\t/.test(text) && !/\S {2}\S|\t/.test(source)))
    return { text: 'words-spaces', values: { key } };
  const [part = ''] = path;
  const isWord = wordParts.includes(part) && part !== 'choices';
  return isWord && !WORD.test(text) ? { text: 'words-word', values: { key, text } } : undefined;
}

function collapse(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function compareRow(unit: Unit, row: Row): Fault | undefined {
  const { key, source, present } = unit;
  // Tools may lose blanks at the ends of a text, and break its lines anew.
  if (collapse(row.source) !== collapse(source)) return { text: 'words-source', values: { key, source } };
  if (row.present !== undefined && row.present !== present)
    return { text: 'words-conflict', values: { key, present: present || '–' } };
  return findTextFault(unit, row);
}

function tidy(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize();
}

/** @returns a text with the line break at its end that the source has, if it has one */
function endLine(text: string, { source = '' }: Partial<Unit> = {}): string {
  return source.endsWith('\n') && text !== '' ? text.replace(/\n?$/, '\n') : text;
}

/**
 * Compares three states of each text: what the table had when it was handed out, what it has now, and what comes back.
 *
 * @returns the new texts by key, and what is wrong with others
 */
export function compareRows(units: readonly Unit[], rows: readonly Row[]) {
  const known = new Map(units.map((unit) => [unit.key, unit]));
  const texts = new Map<string, string>();
  const faults: Fault[] = [];
  for (const sent of rows) {
    const { key } = sent;
    const unit = known.get(key);
    const text = endLine(tidy(sent.text ?? ''), unit);
    const present = sent.present === undefined ? undefined : tidy(sent.present);
    const row = { ...sent, source: tidy(sent.source), present, text };
    if (!unit) faults.push({ text: 'words-unknown', values: { key } });
    else if (row.cell === undefined && ['', present, unit.present].includes(text)) continue;
    else if (texts.has(key) && texts.get(key) !== text) faults.push({ text: 'words-repeated', values: { key } });
    else {
      const fault = compareRow(unit, row);
      if (fault) faults.push(fault);
      else texts.set(key, text);
    }
  }
  return { texts, faults };
}

/** @param digests as JSON. @returns them with those of what the new sentences were translated from */
export function recordOrigins(digests: string, units: readonly Unit[], texts: ReadonlyMap<string, string>): string {
  const added = units.flatMap(({ key, origin }) => (origin && texts.has(key) ? [origin] : []));
  if (added.length === 0) return digests;
  return writeDigests(new Map<string, unknown>([...Object.entries(JSON.parse(digests)), ...added]));
}

/** @returns the files with other texts, in the order and the form that they had */
export function changeFiles(files: Files, units: readonly Unit[], texts: ReadonlyMap<string, string>): Files {
  const whole = Object.groupBy(units, ({ path }) => JSON.stringify(path));
  const edits = Object.values(whole).flatMap((all = []) => {
    const [first] = all;
    if (!first || !all.some(({ key }) => texts.has(key))) return [];
    const forms = all.map(({ key, form = '', present }) => [form, texts.get(key) ?? present] as const);
    const isText = all.length === 1 && first.path.at(-1) === first.form;
    const value =
      first.form === undefined || isText ? forms[0]?.[1] : Object.fromEntries(forms.filter(([, text]) => text !== ''));
    return [{ file: first.file, edit: [first.path, value] as const }];
  });
  return Object.fromEntries(
    Object.entries(files).map(([file, text]) => {
      const own = edits.flatMap((each) => (each.file === file ? [each.edit] : []));
      return [file, own.length > 0 ? editJson(text, own) : text];
    }),
  );
}
