/** Whether the document of the second tree is that of the first in its words. */
import { asObject, isObject } from '../../../vocabularies/src/words.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import type { TableWords } from '../kit/relation.ts';
import type { Difference } from '../kit/same.ts';
import { guessLanguage } from '../kit/sentences.ts';
import { Reader, withoutNames } from './document.ts';

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

/** @returns the members of an object by their names, in which parameters of a path have none */
const nameKeys = (members: object): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(members).map(([name, value]) => [
      withoutNames(name.startsWith('/') && name.includes('%') ? decodeURI(name) : name),
      value,
    ]),
  );

class Comparison {
  readonly differences: Difference[] = [];
  readonly prose: Prose[] = [];
  readonly #one: Reader;
  readonly #other: Reader;
  readonly #seen = new Set<unknown>();
  readonly #words: TableWords;

  constructor(one: unknown, other: unknown, words: TableWords) {
    this.#words = words;
    this.#one = new Reader(one);
    this.#other = new Reader(other);
  }

  compare(at: string, one: unknown, other: unknown, isMap = false): void {
    if (Array.isArray(one) && Array.isArray(other)) this.#compareArrays(at, one, other);
    else if (isObject(one) && isObject(other)) this.#compareObjects(at, one, other, isMap);
    else {
      const isSkipped = at.split(/[/ ]/).some((name) => this.#words.skipped.has(name));
      const isSame = JSON.stringify(one) === JSON.stringify(other) || this.#isTranslation(one, other);
      if (!isSame && !isSkipped) this.differences.push({ at, one, other });
    }
  }

  #isTranslation(one: unknown, other: unknown): boolean {
    return this.#words.isTranslation(String(one), String(other));
  }

  #compareObjects(at: string, one: unknown, other: unknown, isMap: boolean): void {
    const [left, right] = [this.#one.resolve(one), this.#other.resolve(other)];
    if (left !== one && this.#seen.has(left)) return;
    this.#seen.add(left);
    const [own, theirs] = [nameKeys(left), nameKeys(right)];
    for (const key of new Set([...own.keys(), ...theirs.keys()])) {
      const [first, second] = [own.get(key), theirs.get(key)];
      if (!isMap && OWN.test(key)) continue;
      if (!isMap && PROSE.test(key) && !isObject(first) && !isObject(second))
        this.prose.push({ at: `${at}/${key}`, one: String(first ?? ''), other: String(second ?? '') });
      else this.compare(`${at}/${key}`, first, second, !isMap && MAPS.test(key));
    }
  }

  /** Parameters are compared by their names; values of an enumeration, and names of what is required, have no order. */
  #compareArrays(at: string, one: readonly unknown[], other: readonly unknown[]): void {
    const byName = (all: readonly unknown[], reader: Reader) =>
      new Map(
        all.map((each) => {
          const parameter = reader.resolve(each);
          // Where it stands says which parameter of a path it is.
          const name = parameter.in === 'path' ? '' : parameter.name;
          return [`${parameter.in} ${name}`, { ...parameter, name }] as const;
        }),
      );
    if (one.length > 0 && one.every((each) => typeof this.#one.resolve(each).name === 'string')) {
      const [own, theirs] = [byName(one, this.#one), byName(other, this.#other)];
      for (const key of new Set([...own.keys(), ...theirs.keys()]))
        this.compare(`${at}/${key}`, own.get(key), theirs.get(key));
      return;
    }
    const isPair = (each: unknown) => other.some((there) => this.#isTranslation(each, there));
    if (one.length === other.length && one.every(isPair)) return;
    const isTexts = one.every((each) => typeof each === 'string');
    const [left, right] = isTexts ? [one.toSorted(), other.toSorted()] : [one, other];
    for (const index of (left.length > right.length ? left : right).keys())
      this.compare(`${at}/${index}`, left[index], right[index]);
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
  words: TableWords,
): readonly Difference[] {
  const comparison = new Comparison(one, other, words);
  comparison.compare('document/paths', asObject(one).paths, asObject(other).paths, true);
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
    ...lost.map((each) => ({ ...each, at: `${each.at} (missing)` })),
    ...(isTranslated ? left : []).map((each) => ({ ...each, at: `${each.at} (of the other language)` })),
  ];
}

/** What a dictionary has that is its language's own. */
const LANGUAGE = /^(?:tag|name|direction|isDefault|csv|flags|schema|paths|former|synonyms)$/;

/** @returns where two dictionaries differ: names, kinds, and labels and descriptions that are left over */
export function compareDictionaries(one: Dictionary, other: Dictionary): readonly Difference[] {
  const differences: Difference[] = [];
  const prose: Prose[] = [];
  const labels = new Map<string, unknown>();
  const compare = (at: string, left: unknown, right: unknown): void => {
    const member = at.slice(at.lastIndexOf('/') + 1);
    if (isObject(left) && isObject(right)) {
      for (const name of new Set([...Object.keys(left), ...Object.keys(right)]))
        if (!LANGUAGE.test(name)) compare(`${at}/${name}`, left[name], right[name]);
      return;
    }
    const isProse = /^(?:label|description|title|unit)$/.test(member);
    if (isProse) prose.push({ at, one: String(left ?? ''), other: String(right ?? '') });
    // One label of a collection belongs to one field.
    const label = `${at.split('/').slice(0, 4).join('/')} ${right}`;
    const isTwice = member === 'label' && labels.has(label) && labels.get(label) !== left;
    if (member === 'label') labels.set(label, left);
    const isWord = typeof left === 'string' && !/^(?:kind|refersTo|parent)$/.test(member);
    const isOther = typeof left !== typeof right || (!isWord && JSON.stringify(left) !== JSON.stringify(right));
    if (isTwice || (!isProse && isOther)) differences.push({ at, one: left, other: right });
  };
  compare('dictionary', one, other);
  // A label that is the first language's word for what the second has a word of its own.
  const areNear = NEAR.includes(one.tag) && NEAR.includes(other.tag);
  for (const [collection, { fields }] of Object.entries(areNear ? {} : one.collections)) {
    for (const [name, { label, word }] of Object.entries(fields)) {
      const field = other.collections[collection]?.fields[name];
      const isLeft = label?.toLowerCase() === word.toLowerCase() && field?.label === label && field?.word !== word;
      const at = `dictionary/collections/${collection}/fields/${name}/label`;
      if (isLeft) differences.push({ at, one: label, other: label });
    }
  }
  return [...differences, ...compareProse(prose, other.tag)];
}
