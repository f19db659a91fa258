/** The preference `units`: `enginePower=kW; kilometres=mi` says in which units a request has the numbers of these fields. */
import { type Language, type Units, unitKey } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import type { Field } from '../model/field.ts';
import { findUnit, knownUnits, quantities } from '../model/units.ts';
import { sentence, unknownSentence } from '../texts/phrase.ts';
import { headerProblem } from '../texts/problem.ts';
import { decodeHeader, parsePreferences, readHeaderPair } from './prefer.ts';

/** @returns how each unit of a field is asked for, such as `enginePower=kW` */
export const unitPairs = (language: Language, collection: Collection, field: Field): readonly string[] =>
  knownUnits(field).map((unit) => `${language.fields(collection).word(field.name)}=${unit}`);

/** @returns the unit of a field that somebody writes, such as `enginePower=kW`; the field may have its word or its name */
function readPair(language: Language, collection: Collection, text: string) {
  const { name, suggest } = language.fields(collection);
  const [word = '', unit = ''] = readHeaderPair(text) ?? [];
  const [field, similarField] = [word, suggest(word) ?? ''].map((of) =>
    quantities(collection).find((quantity) => quantity.name === (name(of) ?? of)),
  );
  return { field, closestField: field ?? similarField, unit };
}

/**
 * @returns the units that the header `Prefer` asks for, if any
 * @throws Problem `invalid-header` for what is unknown or repeated: a number in another unit than was meant would be stored
 */
export function preferredUnits(header: string, language: Language, collection: Collection): Units | undefined {
  const fields = quantities(collection);
  if (fields.length === 0) return undefined;
  const preferences = parsePreferences(decodeHeader(header));
  if (!preferences && /\bunits\b/i.test(header)) {
    throw headerProblem('Prefer', 'invalid-header', sentence('preferences-malformed', { header: 'Prefer' }));
  }
  const preference = preferences?.find(({ name }) => name === 'units');
  if (!preference) return undefined;
  const pairs = preference.value.split(';').map((text): readonly [string, string] => {
    const { field, closestField, unit: sentUnit } = readPair(language, collection, text);
    const unit = closestField && findUnit(closestField, sentUnit);
    if (field && unit !== undefined) return [unitKey(collection, field), unit];
    const known = fields.flatMap((other) => unitPairs(language, collection, other)).join(', ');
    const at = closestField ? knownUnits(closestField).indexOf(unit ?? '') : -1;
    const suggestion = closestField && unitPairs(language, collection, closestField)[at];
    const detail = unknownSentence('preference', { name: 'units', value: text.trim(), known }, suggestion);
    throw headerProblem('Prefer', 'invalid-header', detail, { suggestion });
  });
  const units = new Map(pairs);
  const repeated = pairs.find(([key, unit]) => units.get(key) !== unit);
  if (repeated) {
    const other = units.get(repeated[0]) ?? '';
    const detail = sentence('preference-repeated', { name: 'units', value: repeated[1], other });
    throw headerProblem('Prefer', 'invalid-header', detail);
  }
  return units;
}
