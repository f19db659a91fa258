/**
 * What a dealer in Spain has to sell: used cars with their prices, dates and photos, and the branches where they stand. Served by
 * `CATALOGUE=examples/dealer npm start`; `sedes.csv` and `existencias.csv` can be imported, in this order.
 */
import {
  choice,
  date,
  decimal,
  integer,
  key,
  list,
  reference,
  text,
  timestamp,
  url,
} from 'car-dealer-catalogue/fields';
import { collection, defineCatalogue } from 'car-dealer-catalogue/schema';

export const catalogue = defineCatalogue(
  collection(
    'cars',
    {
      registration: key({ compact: true, examples: ['4821 KBC', '0937 LDM'] }),
      make: text({ required: true, max: 60, indexed: true, searchable: true, examples: ['Seat', 'Citroën'] }),
      model: text({ required: true, max: 100, indexed: true, searchable: true, examples: ['León', 'C4'] }),
      version: text({ max: 100, searchable: true, examples: ['1.5 TSI Style', '1.2 PureTech Feel'] }),
      price: decimal({ scale: 2, min: 0, max: 2_000_000, unit: 'EUR', indexed: true, examples: [15_990, 12_490.5] }),
      kilometres: integer({ min: 0, max: 2_000_000, unit: 'km', usualMax: 500_000, examples: [48_200, 91_500] }),
      firstRegistered: date({ min: '1900-01-01', max: '2100-12-31', examples: ['2019-03-14', '2017-11-02'] }),
      fuel: choice(['petrol', 'diesel', 'hybrid', 'plug-in-hybrid', 'electric', 'lpg', 'cng', 'hydrogen'], {
        indexed: true,
        examples: ['petrol', 'petrol'],
      }),
      gearbox: choice(['manual', 'automatic'], { examples: ['manual', 'automatic'] }),
      body: choice(['hatchback', 'saloon', 'estate', 'suv', 'coupe', 'convertible', 'van', 'mpv', 'pickup'], {
        indexed: true,
        examples: ['hatchback', 'hatchback'],
      }),
      power: integer({ min: 0, max: 3_000, unit: 'CV', examples: [130, 110] }),
      colour: text({ max: 40, searchable: true, examples: ['Rojo', 'Gris'] }),
      state: choice(['available', 'reserved', 'sold'], { indexed: true, examples: ['available', 'reserved'] }),
      branch: reference('branches', { examples: ['Gijón', 'Oviedo'] }),
      equipment: list({
        max: 60,
        searchable: true,
        examples: [['Techo panorámico', 'Cámara trasera'], ['Llantas de 17"']],
      }),
      chassis: text({ max: 17, unique: true, compact: true, examples: ['VSSZZZ5FZJR012345', 'VF7NX5FS9HY512345'] }),
      changed: timestamp({ examples: ['2026-10-05T09:30:00Z', '2026-10-06T17:05:00Z'] }),
    },
    collection(
      { name: 'photos', alsoTopLevel: true },
      {
        number: key({ examples: ['1', '2'] }),
        link: url({
          required: true,
          examples: ['https://example.com/4821-kbc/1.jpg', 'https://example.com/4821-kbc/2.jpg'],
        }),
      },
    ),
  ),
  collection('branches', {
    name: key({ examples: ['Gijón', 'Oviedo'] }),
    address: text({ max: 200, searchable: true, examples: ['Avenida de la Costa, 51', 'Calle Uría, 8'] }),
    phone: text({ max: 20, examples: ['985 00 00 01', '985 00 00 02'] }),
  }),
);
