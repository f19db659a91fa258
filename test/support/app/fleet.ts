/**
 * A catalogue in which items with fields of every kind are referred to, by nested items, too, which are listed across parents;
 * what refers to an item that is deleted is deleted with it.
 */

import { layered } from '../../../src/gateway/locale/layers.ts';
import { collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { key, reference } from '../../../src/gateway/model/fields.ts';
import { specsOf } from '../cars/catalogue.ts';
import { english, everyKind, spanish } from '../language/every-kind.ts';
import { folderOf, tableOf } from '../language/locale-folder.ts';
import type { WhenOver } from '../process/folder.ts';

const goesWith = (of: string) => reference(of, { onDelete: 'delete' });

export const fleet = defineCatalogue(
  collection('boats', { ...specsOf(everyKind, 'boats'), port: goesWith('ports') }),
  collection('ports', specsOf(everyKind, 'ports')),
  collection(
    'crews',
    { captain: key(), boat: goesWith('boats') },
    collection({ name: 'shifts', alsoTopLevel: true }, { number: key(), relief: goesWith('boats') }),
  ),
);

type Words = typeof english;

const withCrews = (
  { paths: { trips: _, ...paths }, fields: { trips: __, ...fields }, nouns, ...rest }: Words,
  own: Record<'crews' | 'shifts' | 'captain' | 'boat' | 'number' | 'relief' | 'crew', string>,
) => {
  const { trips: ____, ...collections } = rest.descriptions.collections;
  const noun = (word: string) => ({ the: word, of: word });
  return {
    ...rest,
    paths: { ...paths, crews: own.crews, shifts: own.shifts },
    fields: {
      ...fields,
      crews: { captain: own.captain, boat: own.boat },
      shifts: { number: own.number, relief: own.relief, crews: own.crew },
    },
    nouns: {
      boats: { the: nouns.boats.the, of: nouns.boats.of },
      ports: nouns.ports,
      crews: { ...noun(own.crew), within: own.crew },
      shifts: noun(own.number),
    },
    pages: { totals: { ...rest.pages.totals, crews: rest.pages.totals.ports } },
    descriptions: {
      collections: {
        ...collections,
        crews: { name: own.crews, schema: 'Crew' },
        shifts: { name: own.shifts, schema: 'Shift' },
        allShifts: { name: own.shifts, schema: 'CrewShift' },
      },
    },
  };
};

const words = {
  en: {
    ...{ crews: 'crews', shifts: 'shifts', captain: 'captain', boat: 'boat', number: 'number', relief: 'relief' },
    crew: 'crew',
  },
  es: {
    ...{ crews: 'tripulaciones', shifts: 'turnos', captain: 'capitan', boat: 'barco', number: 'numero' },
    ...{ relief: 'relevo', crew: 'tripulacion' },
  },
};

/** @returns a folder with its tables */
export const fleetTables = (whenOver: WhenOver): string =>
  folderOf(
    {
      'en.json': layered(tableOf('en'), withCrews(english, words.en)),
      'es.json': layered(tableOf('es'), withCrews(spanish, words.es)),
    },
    whenOver,
  );
