/** The cars of the tests, whose oils are also in one list across all cars. */
import { collection, defineCatalogue } from '../../../src/gateway/model/catalogue.ts';
import { catalogue, specsOf } from '../cars/catalogue.ts';
import type { WhenOver } from '../process/folder.ts';
import { editedLocales } from './locale-folder.ts';

export const listedOils = defineCatalogue(
  collection(
    'cars',
    specsOf(catalogue, 'cars'),
    collection({ name: 'oils', alsoTopLevel: true }, specsOf(catalogue, 'oils')),
  ),
);

const CAR: Readonly<Record<string, string>> = { en: 'car', es: 'coche', ca: 'cotxe', pt: 'carro' };

/** @returns a folder with their tables */
export const listedOilsTables = (whenOver: WhenOver): string =>
  editedLocales((table, tag) => {
    table.fields.oils.cars = CAR[tag];
    const { collections } = table.descriptions ?? {};
    if (!collections) return;
    const texts = Object.entries<string>(collections.oils);
    collections.allOils = Object.fromEntries(
      texts.map(([name, text]) => [name, name.startsWith('schema') ? `${text}OfCar` : `${text} (all)`]),
    );
  }, whenOver);
