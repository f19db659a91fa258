/** Whether the document of the second tree is that of the first in its words. */
import { isDeepStrictEqual } from 'node:util';
import { decodeUri } from '../../../vocabularies/src/document.ts';
import { asObject, isObject, type Json } from '../../../vocabularies/src/words.ts';
import { compareValues, type Difference } from '../kit/compare.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import type { Relation } from '../kit/relation.ts';
import { guessLanguage } from '../kit/sentences.ts';
import { omitNames, Reader } from './document.ts';

/** What people read. */
const PROSE = /^(?:description|summary|title)$/;
/** What is a document's own: names of components, and texts that are not compared. */
const OWN = /^(?:examples?|info|tags|externalDocs|servers|default|pattern|security|x-names)$/;
/** Members whose own members have names that mean nothing to OpenAPI. */
const MAPS = /^(?:properties|paths|responses|headers|content|patternProperties|\$defs)$/;

interface Prose {
  readonly at: string;
  readonly one: string;
  readonly other: string;
}

/** What two documents are compared by, and what is found. */
interface Comparison {
  readonly readers: readonly [Reader, Reader];
  readonly words: Relation;
  readonly differences: Difference[];
  readonly prose: Prose[];
  /** Schemas that were compared, which may contain themselves. */
  readonly seen: Set<unknown>;
}

/** @returns the members of an object by their names, in which parameters of a path have none */
function nameMembers(members: Json): ReadonlyMap<string, unknown> {
  const named = Object.entries(members).map(([name, value]) => {
    return [omitNames(name.startsWith('/') ? decodeUri(name) : name), value] as const;
  });
  return new Map(named);
}

/** @returns the items of a list by their names: parameters have their own, and texts, such as those of an enumeration, have no order */
function nameItems(items: readonly unknown[], reader: Reader): ReadonlyMap<string, unknown> {
  const all = items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  return new Map(
    all.map((each, at) => {
      const item = reader.resolve(each);
      if (typeof item.name !== 'string') return [String(at), each];
      // Where it stands says which parameter of a path it is.
      const name = item.in === 'path' ? '' : item.name;
      return [`${item.in} ${name}`, { ...item, name }];
    }),
  );
}

function compareAt(comparison: Comparison, at: string, one: unknown, other: unknown, isMap = false): void {
  const { readers, words, differences, seen } = comparison;
  const isTranslation = (left: unknown, right: unknown): boolean =>
    isDeepStrictEqual(left, right) || words.isTranslation(String(left), String(right));
  if (Array.isArray(one) && Array.isArray(other)) {
    // References of one name lead to something else in each document.
    const areSame = (value: unknown): boolean => !isObject(value) && other.some((there) => isTranslation(value, there));
    const isSame = one.length === other.length && one.every(areSame);
    if (!isSame) compareMembers(comparison, at, nameItems(one, readers[0]), nameItems(other, readers[1]), true);
  } else if (isObject(one) && isObject(other)) {
    const [left, right] = [readers[0].resolve(one), readers[1].resolve(other)];
    if (left !== one && seen.has(left)) return;
    seen.add(left);
    compareMembers(comparison, at, nameMembers(left), nameMembers(right), isMap);
  } else {
    const isSkipped = at.split(/[/ ]/).some((name) => words.skipped.has(name));
    if (!isTranslation(one, other) && !isSkipped) differences.push({ at, one, other });
  }
}

function compareMembers(
  comparison: Comparison,
  at: string,
  own: ReadonlyMap<string, unknown>,
  theirs: ReadonlyMap<string, unknown>,
  isMap: boolean,
): void {
  for (const key of new Set([...own.keys(), ...theirs.keys()])) {
    const [one, other] = [own.get(key), theirs.get(key)];
    if (!isMap && OWN.test(key)) continue;
    if (!isMap && PROSE.test(key) && !isObject(one) && !isObject(other))
      comparison.prose.push({ at: `${at}/${key}`, one: String(one ?? ''), other: String(other ?? '') });
    else compareAt(comparison, `${at}/${key}`, one, other, !isMap && MAPS.test(key));
  }
}

/**
 * @param one the first tree's document in words
 * @param language of the second one's texts
 * @returns where they differ: paths, operations, parameters, statuses, headers, schemas, and texts that are left over of the other language
 */
export function compareDocuments(
  one: unknown,
  other: unknown,
  language: string,
  words: Relation,
): readonly Difference[] {
  const readers = [new Reader(one), new Reader(other)] as const;
  const comparison: Comparison = { readers, words, differences: [], prose: [], seen: new Set() };
  compareAt(comparison, 'document/paths', asObject(one).paths, asObject(other).paths, true);
  return [...comparison.differences, ...compareProse(comparison.prose, language)];
}

/** Languages in which a short text may be the same. */
const NEAR = ['ca', 'es', 'fr', 'it', 'pt'];

function mostCommon(texts: readonly string[]): string {
  const groups = [...Map.groupBy(texts, (text) => text)];
  return groups.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? '';
}

/** @returns texts that one document lacks, and those of the second that are in the language of the first */
function compareProse(prose: readonly Prose[], language: string): readonly Difference[] {
  const texts = prose.filter(({ one }) => /\p{L}{2,}/u.test(one));
  const isTranslated = texts.filter(({ one, other }) => one !== other).length > texts.length / 2;
  const own = mostCommon(texts.flatMap(({ one }) => guessLanguage(one) ?? []));
  const areNear = NEAR.includes(own) && NEAR.includes(language);
  const left = texts.filter(({ one, other }) => {
    const guess = guessLanguage(other);
    if (guess === undefined) return other === one && /\s/.test(one) && !areNear;
    return guess !== language && (other === one || (guess === own && !areNear));
  });
  const lost = prose.filter(({ one, other }) => (one === '') !== (other === ''));
  return [
    ...lost.map((text) => ({ ...text, at: `${text.at} (missing)` })),
    ...(isTranslated ? left : []).map((text) => ({ ...text, at: `${text.at} (of the other language)` })),
  ];
}

/** What a dictionary has that is its language's own. */
const LANGUAGE = /^(?:tag|name|direction|isDefault|csv|flags|schema|paths|former|synonyms)$/;

/** @returns where two dictionaries differ: names, kinds, and labels and descriptions that are left over */
export function compareDictionaries(one: Dictionary, other: Dictionary): readonly Difference[] {
  const prose: Prose[] = [];
  const facts = compareValues('dictionary', omitLanguage(one), omitLanguage(other), (at, left, right) => {
    const isProse = /\/(?:label|description|title|unit)$/.test(at);
    if (isProse) prose.push({ at, one: String(left ?? ''), other: String(right ?? '') });
    const isWord = typeof left === 'string' && typeof right === 'string' && !/\/(?:kind|refersTo|parent)$/.test(at);
    return isProse || isWord ? [] : [{ at, one: left, other: right }];
  });
  return [...facts, ...compareLabels(one, other), ...compareProse(prose, other.tag)];
}

/** @returns what a dictionary says of its names, in their order */
function omitLanguage(value: unknown): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !LANGUAGE.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, omitLanguage(member)]).toSorted());
}

/** @returns labels that two fields share, and those that are left over of the first language */
function compareLabels(one: Dictionary, other: Dictionary): readonly Difference[] {
  const areNear = NEAR.includes(one.tag) && NEAR.includes(other.tag);
  return Object.entries(one.collections).flatMap(([collection, { fields }]) => {
    const theirs = other.collections[collection]?.fields ?? {};
    return Object.entries(fields).flatMap(([name, { label, word }]) => {
      const otherLabel = theirs[name]?.label;
      const isShared = Object.entries(fields).some(
        ([each, field]) => theirs[each]?.label === otherLabel && field.label !== label,
      );
      // The first language's word for what the second has a word of its own.
      const isLeft = label === otherLabel && word.toLowerCase() === label?.toLowerCase() && theirs[name]?.word !== word;
      const at = `dictionary/collections/${collection}/fields/${name}/label`;
      return isShared || (isLeft && !areNear) ? [{ at, one: label, other: otherLabel }] : [];
    });
  });
}
