/** Whether the document of the second tree is that of the first in its words. */
import { isDeepStrictEqual } from 'node:util';
import { asArray, decodeUri } from '../../../vocabularies/src/document.ts';
import { isObject } from '../../../vocabularies/src/words.ts';
import type { Difference } from '../kit/compare.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import { guessLanguage } from '../kit/sentences.ts';
import type { Relation } from '../kit/words.ts';
import { omitNames, type Reader } from './document.ts';

/** What people read. */
const PROSE = /^(?:description|summary|title|label|unit)$/;
/** What is a document's or a dictionary's own: names of components, and texts that are not compared. */
const OWN = /^(?:examples?|info|tags|externalDocs|servers|default|pattern|security|x-names|paths|former|synonyms)$/;
/** What dictionaries have by names that all languages share. */
const PARTS = ['collections', 'parameters', 'members', 'report', 'values'] as const;
/** Members whose own members have names that mean nothing to OpenAPI, or to a dictionary. */
const MAPS = /^(?:properties|paths|responses|headers|content|patternProperties|\$defs|fields|choices|range)$/;

interface Prose {
  readonly at: string;
  readonly one: string;
  readonly other: string;
}

/** @returns the members of an object, or the items of a list, by what they are in both documents */
function nameParts(value: unknown, reader: Reader): ReadonlyMap<string, unknown> {
  // Parameters of a path have no names.
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, part]) => {
      return [omitNames(name.startsWith('/') ? decodeUri(name) : name), part] as const;
    });
    return new Map(members);
  }
  const items = asArray(value);
  // Texts, such as those of an enumeration, have no order.
  const sorted = items.every((item) => typeof item === 'string') ? items.toSorted() : items;
  const named = sorted.map((item, at) => {
    const { name, ...rest } = reader.resolve(item);
    if (typeof name !== 'string') return [String(at), item] as const;
    // Where it stands says which parameter of a path it is.
    return [rest.in === 'path' ? 'path' : `${rest.in} ${name}`, rest] as const;
  });
  return new Map(named);
}

/** Compares two documents, and collects what people read there. */
class DocumentComparer {
  readonly differences: Difference[] = [];
  readonly prose: Prose[] = [];
  readonly #readers: readonly [Reader, Reader];
  readonly #words: Relation;
  /** Schemas that were compared, which may contain themselves. */
  readonly #seen = new Set<unknown>();

  constructor(readers: readonly [Reader, Reader], words: Relation) {
    this.#readers = readers;
    this.#words = words;
  }

  #isTranslation(one: unknown, other: unknown): boolean {
    return isDeepStrictEqual(one, other) || this.#words.isTranslation(String(one), String(other));
  }

  /** @param isMap whether the members of an object have names that mean nothing to OpenAPI */
  compare(at: string, one: unknown, other: unknown, isMap = false): void {
    const [reader, otherReader] = this.#readers;
    const [left, right] = [
      isObject(one) ? reader.resolve(one) : one,
      isObject(other) ? otherReader.resolve(other) : other,
    ];
    const areLists = Array.isArray(left) && Array.isArray(right);
    if (!areLists && !(isObject(left) && isObject(right))) {
      const isSkipped = at.split(/[/ ]/).some((name) => this.#words.skipped.has(name));
      if (!this.#isTranslation(left, right) && !isSkipped) this.differences.push({ at, one, other });
      return;
    }
    // References of one name lead to something else in each document.
    const hasCounterpart = (value: unknown) =>
      !isObject(value) && asArray(right).some((item) => this.#isTranslation(value, item));
    const isSame = areLists && left.length === right.length && left.every(hasCounterpart);
    if (isSame || (left !== one && this.#seen.has(left))) return;
    this.#seen.add(left);
    const [parts, others] = [nameParts(left, reader), nameParts(right, otherReader)];
    for (const name of new Set([...parts.keys(), ...others.keys()])) {
      const [part, otherPart] = [parts.get(name), others.get(name)];
      const isKeyword = !isMap && !areLists;
      if (isKeyword && OWN.test(name)) continue;
      if (isKeyword && PROSE.test(name) && !isObject(part) && !isObject(otherPart))
        this.prose.push({ at: `${at}/${name}`, one: String(part ?? ''), other: String(otherPart ?? '') });
      else this.compare(`${at}/${name}`, part, otherPart, isKeyword && MAPS.test(name));
    }
  }
}

/**
 * @param one the first tree's document in words
 * @param language of the second one's texts
 * @returns where they differ: paths, operations, parameters, statuses, headers, schemas, and texts that are left over of the other language
 */
export function compareDocuments(one: Reader, other: Reader, language: string, words: Relation): readonly Difference[] {
  const comparer = new DocumentComparer([one, other], words);
  comparer.compare('document/paths', one.content.paths, other.content.paths, true);
  return [...comparer.differences, ...compareProse(comparer.prose, language)];
}

/** @returns where two dictionaries differ: names, kinds, and labels and descriptions that are left over */
export function compareDictionaries(
  one: Dictionary,
  other: Dictionary,
  readers: readonly [Reader, Reader],
  words: Relation,
): readonly Difference[] {
  const comparer = new DocumentComparer(readers, words);
  for (const part of PARTS) comparer.compare(`dictionary/${part}`, one[part], other[part], true);
  return [...comparer.differences, ...compareLabels(one, other), ...compareProse(comparer.prose, other.tag)];
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
