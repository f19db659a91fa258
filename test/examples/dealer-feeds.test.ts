/** Two nights of files as twelve programs write them, imported as they are into the dealer's catalogue. */
import { afterAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../examples/dealer/catalogue.ts';
import { useApp } from '../support/app/app.ts';
import { inSpanish } from '../support/app/reports.ts';
import { dealerTables } from '../support/language/dealer.ts';
import { folderOf } from '../support/language/locale-folder.ts';
import {
  nextNight,
  preferencesOf,
  randomFrom,
  systems,
  type TrueCar,
  trueCars,
  uglyFile,
} from '../support/ugly-feeds.ts';

const MANY = 40;
const profiles = folderOf(
  Object.fromEntries(systems.map(({ profile }, at) => [`erp-${at}.json`, { list: 'cars', ...profile }])),
  afterAll,
);
const app = useApp({ catalogue, locales: dealerTables(afterAll), profiles });

const trees = [
  ['en', 63, '/api/imports/cars', ['nested', 'photos'], (report: object) => report],
  ['es', 1_963, '/api/importaciones/coches', ['anidados', 'fotos'], inSpanish],
] as const;

/** The values of choices that have another word in English. */
const names: Readonly<Record<string, string>> = {
  ...{ SUV: 'suv', LPG: 'lpg', CNG: 'cng', 'plug-in hybrid': 'plug-in-hybrid', coupé: 'coupe', MPV: 'mpv' },
  'pick-up': 'pickup',
};

type StoredCar = Readonly<Record<string, unknown>> & { readonly photos: readonly { readonly link: string }[] };

/** @returns the cars of the catalogue, as they are true */
const stored = async (): Promise<readonly TrueCar[]> => {
  const { json } = await app.send('GET', '/api/cars?number_of_elements=100&sort_by=registration&include=photos');
  return json.map(({ first_registered: firstRegistered, fuel, body, photos, ...car }: StoredCar) => ({
    ...{ ...car, firstRegistered },
    fuel: names[String(fuel)] ?? fuel,
    body: names[String(body)] ?? body,
    photos: photos.map(({ link }) => link),
  }));
};

/** @returns the counts of photos, whose keys are their places, that were those of some cars and are those of others */
const photoCounts = (before: readonly TrueCar[], after: readonly TrueCar[]) => {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0 };
  for (const [at, { photos }] of after.entries()) {
    const { photos: old = [] } = before[at] ?? {};
    for (let place = 0; place < Math.max(old.length, photos.length); place++) {
      if (place >= old.length) counts.created++;
      else if (place >= photos.length) counts.deleted++;
      else counts[old[place] === photos[place] ? 'unchanged' : 'updated']++;
    }
  }
  return counts;
};

describe.each(trees)('in the tree of %s', (tag, seed, path, [nested, list], say) => {
  test.each(systems.map((system, at) => [system.name, system, at] as const))(
    'a file of the %s is exact, two nights in a row',
    async (_, system, at) => {
      const random = randomFrom(seed + at);
      await app.send('POST', '/api/imports/cars', '[]', {
        'content-type': 'application/json',
        prefer: 'resolution=replace-all; allow-deletions',
      });
      const withPhotos = ({ photos, ...car }: TrueCar) => ({ ...car, photos: system.photos ? photos : [] });
      const cars = trueCars(random, MANY).map(withPhotos);
      const send = async (
        cars: readonly TrueCar[],
        prefer: string,
        counts: object,
        before = cars,
        type = 'text/csv',
      ) => {
        const headers = { 'content-type': type, prefer: `handling=strict, resolution=merge-duplicates, ${prefer}` };
        const { status, json } = await app.send('POST', path, uglyFile(system, tag, cars, random), headers);
        const expected = say({ created: 0, updated: 0, unchanged: 0, rejected: 0, ...counts });
        const photos = system.photos && say(photoCounts(before, cars));
        expect([status, json, json[nested]?.[list]]).toEqual([200, expect.objectContaining(expected), photos]);
      };
      const byProfile = `profile=erp-${at}`;
      const type = system.profile.charset === undefined ? 'text/csv' : `text/csv; charset=${system.profile.charset}`;
      await send(cars, byProfile, { created: MANY }, []);
      expect(await stored()).toEqual(cars);
      // Other spellings of the same, by preferences that say what the profile says.
      await send(cars, preferencesOf(system.profile), { unchanged: MANY }, cars, type);
      const next = nextNight(cars).map(withPhotos);
      const updated = next.filter(({ price, fuel }, at) => price !== cars[at]?.price || fuel !== cars[at]?.fuel).length;
      await send(next, byProfile, { updated, unchanged: MANY - updated }, cars);
      expect(await stored()).toEqual(next);
    },
  );
});
