/** Finds and changes values in the text of JSON, whose order and form stay as they are: a diff shows what was changed alone. */
import { asObject, isObject, type Json } from '../../../packages/vocabularies/src/words.ts';

/** Where a value stands in a text, and the members of an object. */
interface Place {
  readonly start: number;
  end: number;
  readonly members: Map<string, Place>;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** @param text is valid JSON */
function findPlaces(text: string): Place {
  const open: { readonly place: Place; key: string | undefined }[] = [];
  const root: Place = { start: text.indexOf('{'), end: text.length, members: new Map() };
  let name = '';
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const level = open.at(-1);
    if (token === ':') {
      if (level) level.key = name;
    } else if (token === ',') {
      if (level) level.key = undefined;
    } else if (token === '}' || token === ']') {
      if (level) level.place.end = index + 1;
      open.pop();
    } else {
      const place = level ? { start: index, end: index + token.length, members: new Map() } : root;
      if (level?.key !== undefined) level.place.members.set(level.key, place);
      else if (token[0] === '"') name = JSON.parse(token);
      if (token === '{' || token === '[') open.push({ place, key: undefined });
    }
  }
  return root;
}

function setAt(tree: Json, [name = '', ...below]: readonly string[], value: unknown): Json {
  return { ...tree, [name]: below.length === 0 ? value : setAt(asObject(tree[name]), below, value) };
}

/** @returns the line break before a place and what its line begins with */
function findIndent(text: string, start: number): string {
  return /^\n[ \t]*/.exec(text.slice(Math.max(0, text.lastIndexOf('\n', start)), start))?.[0] ?? '';
}

function writeValue(value: unknown, indent: string): string {
  return JSON.stringify(value, undefined, isObject(value) && indent.startsWith('\n') ? 2 : 0).replaceAll('\n', indent);
}

/** @returns the members that an object lacks, as they are written behind those that it has */
function writeMembers(text: string, { start, members }: Place, added: Json): string {
  const indent = /^\s*/.exec(text.slice(start + 1))?.[0] ?? '';
  const isEmpty = members.size === 0;
  const written = Object.entries(added).map(([name, value]) => `${JSON.stringify(name)}: ${writeValue(value, indent)}`);
  return (isEmpty ? '' : `,${indent}`) + written.join(`,${indent || ' '}`);
}

/** @returns the line of a place such as `fields.cars`, from 1 on; that of the nearest part above if it is not there */
export function findLine(text: string, place: string): number {
  let part: Place | undefined = findPlaces(text);
  let start = 0;
  for (const name of place.split('.')) {
    part = part.members.get(name);
    if (!part) break;
    start = part.start;
  }
  return text.slice(0, start).split('\n').length;
}

/** @param text is valid JSON, and an object. @param edits are values by their paths; a member that is missing is added as the last one */
export function editJson(text: string, edits: readonly (readonly [path: readonly string[], value: unknown])[]): string {
  const root = findPlaces(text);
  const added = new Map<Place, Json>();
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (const [path, value] of edits) {
    const places = [root];
    for (const name of path) {
      const next = places.at(-1)?.members.get(name);
      if (!next) break;
      places.push(next);
    }
    const place = places.at(-1) ?? root;
    const missing = path.slice(places.length - 1);
    if (missing.length === 0) changes.push({ ...place, text: writeValue(value, findIndent(text, place.start)) });
    else added.set(place, setAt(added.get(place) ?? {}, missing, value));
  }
  for (const [place, members] of added) {
    const last = Math.max(place.start + 1, ...[...place.members.values()].map(({ end }) => end));
    changes.push({ start: last, end: last, text: writeMembers(text, place, members) });
  }
  return changes
    .toSorted((one, other) => other.start - one.start)
    .reduce((all, change) => all.slice(0, change.start) + change.text + all.slice(change.end), text);
}
