/** Whether the document of the second tree is that of the first in its words. */
import { asObject, isObject } from '../../../vocabularies/src/words.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import type { Difference } from '../kit/same.ts';
import { guessLanguage } from '../kit/sentences.ts';
import { Reader, withoutNames } from './document.ts';
import type { TableWords } from './words.ts';

/** What people read. */
const PROSE = new Set(['description', 'summary', 'title']);
/** What is a document's own: names of components, and texts that are not compared. */
const OWN = new Set([
  'examples',
  'example',
  'info',
  'tags',
  'externalDocs',
  'servers',
  'default',
  'pattern',
  'security',
  'x-names',
]);

interface Context {
  readonly language: string;
  readonly words: TableWords;
}

interface Prose {
  readonly at: string;
  readonly one: string;
  readonly other: string;
}

/** @returns a name of the document that is equal in both, if it is a path */
const keyOfMember = (name: string): string =>
  withoutNames(name.startsWith('/') && name.includes('%') ? decodeURI(name) : name);

const nameKeys = (members: object): ReadonlyMap<string, string> =>
  new Map(Object.keys(members).map((name) => [keyOfMember(name), name]));

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
    if (Array.isArray(one) && Array.isArray(other)) {
      this.#compareArrays(at, one, other);
      return;
    }
    if (!isObject(one) || !isObject(other)) {
      const isSame =
        JSON.stringify(one) === JSON.stringify(other) || this.#words.isTranslation(String(one), String(other));
      const isSkipped = at.split(/[/ ]/).some((name) => this.#words.skipped.has(name));
      if (!isSame && !isSkipped) this.differences.push({ at, one, other });
      return;
    }
    const [left, right] = [this.#one.resolve(one), this.#other.resolve(other)];
    if (left !== one && this.#seen.has(left)) return;
    this.#seen.add(left);
    const [own, names] = [nameKeys(left), nameKeys(right)];
    for (const key of new Set([...own.keys(), ...names.keys()])) {
      const [first, second] = [left[own.get(key) ?? key], right[names.get(key) ?? key]];
      if (!isMap && OWN.has(key)) continue;
      if (!isMap && PROSE.has(key) && !isObject(first) && !isObject(second)) {
        this.prose.push({ at: `${at}/${key}`, one: String(first ?? ''), other: String(second ?? '') });
        continue;
      }
      this.compare(
        `${at}/${key}`,
        first,
        second,
        !isMap && /^(?:properties|paths|responses|headers|content|patternProperties|\$defs)$/.test(key),
      );
    }
  }

  #compareArrays(at: string, one: readonly unknown[], other: readonly unknown[]): void {
    const keyOf = (value: unknown, reader: Reader): string => {
      const { name, in: place } = reader.resolve(value);
      return typeof name === 'string' ? `${place} ${place === 'path' ? '' : name}` : '';
    };
    const isNamed = one.length > 0 && one.every((each) => keyOf(each, this.#one) !== '');
    if (isNamed) {
      const [first, second] = [
        new Map(one.map((each) => [keyOf(each, this.#one), each])),
        new Map(other.map((each) => [keyOf(each, this.#other), each])),
      ];
      for (const key of new Set([...first.keys(), ...second.keys()])) {
        const [left, right] = [this.#one.resolve(first.get(key)), this.#other.resolve(second.get(key))];
        // Where it stands says which parameter of a path it is.
        const unnamed = key.startsWith('path ') ? { name: '' } : {};
        this.compare(
          `${at}/${key}`,
          first.has(key) ? { ...left, ...unnamed } : undefined,
          second.has(key) ? { ...right, ...unnamed } : undefined,
        );
      }
      return;
    }
    // Values of an enumeration, and names of what is required, have no order.
    const [left, right] = one.every((each) => typeof each === 'string')
      ? [one.toSorted(), other.toSorted()]
      : [one, other];
    if (
      one.length === other.length &&
      left.every((each) => right.some((there) => this.#words.isTranslation(String(each), String(there))))
    )
      return;
    const longest = left.length > right.length ? left : right;
    for (const at2 of longest.keys()) this.compare(`${at}/${at2}`, left[at2], right[at2]);
  }
}

/**
 * @param one the first tree's document in words
 * @returns where they differ: paths, operations, parameters, statuses, headers, schemas, and texts that are left over of the other language
 */
export function compareDocuments(one: unknown, other: unknown, { language, words }: Context): readonly Difference[] {
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
  const tell = (all: readonly Prose[], what: string) =>
    all.map(({ at, ...each }) => ({ at: `${at} (${what})`, ...each }));
  return [...tell(lost, 'missing'), ...tell(isTranslated ? left : [], 'of the other language')];
}

/** What a dictionary has that is its language's own. */
const LANGUAGE = new Set([
  'tag',
  'name',
  'direction',
  'isDefault',
  'csv',
  'flags',
  'schema',
  'paths',
  'former',
  'synonyms',
]);

/** @returns where two dictionaries differ: names, kinds, and labels and descriptions that are left over */
export function compareDictionaries(one: Dictionary, other: Dictionary): readonly Difference[] {
  const differences: Difference[] = [];
  const prose: Prose[] = [];
  const labels = new Map<string, string>();
  const compare = (at: string, left: unknown, right: unknown): void => {
    const member = at.slice(at.lastIndexOf('/') + 1);
    if (isObject(left) && isObject(right)) {
      for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
        if (!LANGUAGE.has(name)) compare(`${at}/${name}`, left[name], right[name]);
      }
    } else if (/^(?:label|description|title|unit)$/.test(member)) {
      prose.push({ at, one: String(left ?? ''), other: String(right ?? '') });
      // One label of a collection belongs to one field.
      const own = `${at.split('/').slice(0, 4).join('/')} ${left}`;
      const theirs = `${at.split('/').slice(0, 4).join('/')} = ${right}`;
      if (member === 'label' && (labels.get(theirs) ?? own) !== own) differences.push({ at, one: left, other: right });
      if (member === 'label') labels.set(theirs, own);
    } else if (typeof left !== typeof right) differences.push({ at, one: left, other: right });
    else if (typeof left !== 'string' && JSON.stringify(left) !== JSON.stringify(right)) {
      differences.push({ at, one: left, other: right });
    } else if (/^(?:kind|refersTo|parent)$/.test(member) && left !== right)
      differences.push({ at, one: left, other: right });
  };
  compare('dictionary', one, other);
  // A label that is the first language's word for what the second has a word of its own.
  const areNear = NEAR.includes(one.tag) && NEAR.includes(other.tag);
  const labelled = Object.entries(areNear ? {} : one.collections).flatMap(([collection, { fields }]) =>
    Object.entries(fields).flatMap(([name, { label, word }]) => {
      const field = other.collections[collection]?.fields[name];
      const isLeft = label?.toLowerCase() === word.toLowerCase() && field?.label === label && field?.word !== word;
      return isLeft
        ? [{ at: `dictionary/collections/${collection}/fields/${name}/label`, one: label, other: label }]
        : [];
    }),
  );
  return [...differences, ...labelled, ...compareProse(prose, other.tag)];
}
