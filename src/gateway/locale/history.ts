/** Words that others have replaced: each is accepted until a day, answered under the new word, and suggested for ever after. */
import {
  type Dictionary,
  endOfUse,
  type FormerWord,
  isObject,
  type Synonym,
  WordIndex,
} from '../../../packages/vocabularies/src/words.ts';
import { listTexts, wordParts } from './layers.ts';
import type { Entry, Locale, Table } from './table.ts';

type FormerEntry = Exclude<Entry, string>['former'][number];

export interface LocaleWithHistory extends Locale {
  readonly deprecatedWords: ReadonlyMap<FormerEntry, FormerWord>;
}

/** Reports have no former words. */
const PARTS = wordParts.filter((part) => part !== 'report');

export function withHistory(locale: Locale): LocaleWithHistory {
  const entries = [...listTexts(locale.table, PARTS)].flatMap(([place, entry]) => {
    if (!isObject(entry)) return [];
    const { word: now, former } = entry as Exclude<Entry, string>;
    return former.map((word) => [word, { ...word, language: locale.tag, place, now }] as const);
  });
  return { ...locale, deprecatedWords: new Map(entries) };
}

export const isAccepted = (former: FormerWord): boolean => Date.now() < endOfUse(former);

export class FormerUses {
  readonly #log: FormerLog;
  readonly #words = new Map<string, FormerWord>();

  constructor(log: FormerLog) {
    this.#log = log;
  }

  get words(): readonly FormerWord[] {
    return [...this.#words.values()];
  }

  add(former: FormerWord): void {
    this.#words.set(`${former.language} ${former.place} ${former.word}`, former);
  }

  /** Calls a reader, which is synchronous, and adds the former words that it accepts, even if it throws. */
  during<T>(read: () => T): T {
    const before = this.#log.current;
    this.#log.current = this;
    try {
      return read();
    } finally {
      this.#log.current = before;
    }
  }
}

export class FormerLog {
  /** The uses that the current reader notes. One is enough, because a process or thread reads one thing at a time. */
  current: FormerUses | undefined;

  readonly note = (former: FormerWord): void => this.current?.add(former);

  /** @returns whether a former word that was sent is still accepted; if it is, it is noted */
  readonly accepts = (former: FormerWord): boolean => {
    const isStill = isAccepted(former);
    if (isStill) this.note(former);
    return isStill;
  };
}

export type Part = (table: Table) => Readonly<Record<string, Entry>>;

export const currentWord = (entry: Entry): string => (typeof entry === 'string' ? entry : entry.word);

const mapPart = <T>(part: Readonly<Record<string, Entry>>, map: (entry: Entry) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(part).map(([name, entry]) => [name, map(entry)]));

export const listWords = ({ table }: Locale, part: Part): Dictionary => mapPart(part(table), currentWord);

const listFormerWords = ({ table, deprecatedWords }: LocaleWithHistory, part: Part) =>
  mapPart(part(table), (entry) =>
    typeof entry === 'string' ? [] : entry.former.flatMap((word) => deprecatedWords.get(word) ?? []),
  );

export function indexPart(
  locale: LocaleWithHistory,
  others: readonly LocaleWithHistory[],
  part: Part,
  synonyms: readonly Synonym[],
  log: FormerLog,
): WordIndex {
  const replaced = others.flatMap((other) =>
    Object.entries(listFormerWords(other, part)).flatMap(([name, words]) =>
      words.map(({ word }): Synonym => [word, name]),
    ),
  );
  const foreign = others.map((other) => listWords(other, part));
  return new WordIndex(
    listWords(locale, part),
    foreign,
    [...synonyms, ...replaced],
    listFormerWords(locale, part),
    log.note,
  );
}
