/** Whether the OpenAPI documents of two languages describe the same, but for their words. */

import { valueAt } from '../../../vocabularies/src/words.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import type { Difference } from '../kit/same.ts';
import { locate } from '../kit/translate.ts';
import { type Pair, pairWords } from '../kit/words.ts';
import type { Service } from './service.ts';

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** What people read, and names that are a language's own. */
const PROSE = new Set([
  'description',
  'summary',
  'title',
  'examples',
  'example',
  'info',
  'tags',
  'externalDocs',
  'servers',
  'default',
  'pattern',
  // A schema's.
  'x-names',
]);

/** Parameters of paths are named in each language; where they stand says which is which. */
const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');

/** References that are followed one after the other: more of them lead in a circle. */
const MOST_REFERENCES = 50;

const readStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

/** @returns what a value refers to, or the value itself */
function resolve(document: unknown, value: unknown): unknown {
  let target = value;
  for (let followed = 0; isJson(target) && typeof target.$ref === 'string'; followed++) {
    if (followed === MOST_REFERENCES) return undefined;
    const steps = target.$ref.replace(/^#\//, '').split('/').map(readStep);
    target = valueAt(document, ...steps);
  }
  return target;
}

/** The first operation of a path, whose identifier is the same in every language. */
const firstOperation = (path: unknown): unknown =>
  isJson(path) ? Object.values(path).find((each) => isJson(each) && 'operationId' in each) : undefined;

const isSameOperation = (one: unknown, other: unknown): boolean => {
  const [left, right] = [one, other].map(firstOperation);
  return isJson(left) && isJson(right) && left.operationId === right.operationId;
};

/** A word, a path or a template in the other language: whatever a document may name something by. */
const renamed = (text: string, value: unknown, pair: Pair, known: Json): string => {
  if (text in known) return text;
  if (text.startsWith('/')) {
    const path = locate(text, pair).url;
    const names = Object.keys(known);
    return (
      names.find((each) => withoutNames(each) === withoutNames(path)) ??
      names.find((each) => isSameOperation(value, known[each])) ??
      path
    );
  }
  return pair.any(text).find((each) => each in known) ?? text;
};

const isSameText = (one: string, other: string, pair: Pair): boolean =>
  one === other || pair.any(one).includes(other) || withoutNames(locate(one, pair).url) === withoutNames(other);

const compareAt = (at: string, one: unknown, other: unknown, context: Comparison): readonly Difference[] => {
  const [left, right] = [resolve(context.one, one), resolve(context.other, other)];
  if (!isJson(left) || !isJson(right)) {
    const isSame =
      left === right ||
      (typeof left === 'string' && typeof right === 'string' && isSameText(left, right, context.pair));
    return isSame ? [] : [{ at, one: left, other: right }];
  }
  // Schemas refer to each other in circles.
  if (left !== one && context.seen.has(left)) return [];
  context.seen.add(left);
  if (Array.isArray(left) && Array.isArray(right)) {
    const longest = left.length > right.length ? left : right;
    return longest.flatMap((_, index) => compareAt(`${at}/${index}`, left[index], right[index], context));
  }
  const names = Object.keys(left).filter((name) =>
    !PROSE.has(name) || isJson(left[name]) === false ? !PROSE.has(name) : at.endsWith('properties'),
  );
  const paired = names.map((name) => [name, renamed(name, left[name], context.pair, right)] as const);
  const matched = new Set(paired.map(([, name]) => name));
  const added = Object.keys(right).filter((name) => !matched.has(name) && !PROSE.has(name));
  return [
    ...paired.flatMap(([name, there]) => compareAt(`${at}/${there}`, left[name], right[there], context)),
    ...added.map((name) => ({ at: `${at}/${name}`, one: undefined, other: right[name] })),
  ];
};

interface Comparison {
  readonly one: unknown;
  readonly other: unknown;
  readonly pair: Pair;
  readonly seen: Set<unknown>;
}

/** @returns where two documents differ: paths, operations, parameters, statuses, headers and schemas */
export const compareDocuments = ({ documents }: Service, one: Dictionary, other: Dictionary): readonly Difference[] => {
  const [left, right] = [documents[one.tag], documents[other.tag]];
  if (!isJson(left) || !isJson(right)) {
    return left === right ? [] : [{ at: 'document', one: typeof left, other: typeof right }];
  }
  const context = { one: left, other: right, pair: pairWords(one, other), seen: new Set<unknown>() };
  return compareAt('document/paths', left.paths, right.paths, context);
};
