import { describe, expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';

const { send } = useFreshApp();

/** The words of the description, typed out: a test that translated with the code under test could find no wrong one. */
const trees = [
  {
    language: 'en',
    other: 'es',
    cars: '/api/cars',
    otherCars: '/api/coches',
    car: {
      identifier: 'seat-ibiza-1',
      brand: 'Seat',
      model: 'Ibiza',
      year: 2008,
      doors: 5,
      enginePower: 105,
      version: '1.9 TDI Sport',
      clima: true,
      ac: false,
      fuel: 'Diésel',
    },
    otherCar: {
      identificador: 'seat-ibiza-1',
      marca: 'Seat',
      modelo: 'Ibiza',
      anio: 2008,
      puertas: 5,
      cilindrada: 105,
      version: '1.9 TDI Sport',
      climatizador: true,
      ac: false,
      fuel: 'Diésel',
    },
    change: { enginePower: 130 },
    oils: 'oils',
    otherOils: 'aceites',
    oil: { type: '5W-30', otherInfo: 'Synthetic' },
    otherOil: { tipo: '5W-30', otros_datos: 'Synthetic' },
  },
  {
    language: 'es',
    other: 'en',
    cars: '/api/coches',
    otherCars: '/api/cars',
    car: {
      identificador: 'seat-ibiza-1',
      marca: 'Seat',
      modelo: 'Ibiza',
      anio: 2008,
      puertas: 5,
      cilindrada: 105,
      version: '1.9 TDI Sport',
      climatizador: true,
      ac: false,
      fuel: 'Diésel',
    },
    otherCar: {
      identifier: 'seat-ibiza-1',
      brand: 'Seat',
      model: 'Ibiza',
      year: 2008,
      doors: 5,
      enginePower: 105,
      version: '1.9 TDI Sport',
      clima: true,
      ac: false,
      fuel: 'Diésel',
    },
    change: { cilindrada: 130 },
    oils: 'aceites',
    otherOils: 'oils',
    oil: { tipo: '5W-30', otros_datos: 'Sintético' },
    otherOil: { type: '5W-30', otherInfo: 'Sintético' },
  },
] as const;

describe.each(trees)(
  '$cars',
  ({ language, other, cars, otherCars, car, otherCar, change, oils, otherOils, oil, otherOil }) => {
    const address = `${cars}/seat-ibiza-1`;
    const otherAddress = `${otherCars}/seat-ibiza-1`;

    test('creates a car with its identifier, seen in both trees', async () => {
      const created = await send('POST', `${cars}/`, car);
      expect(created.status).toBe(201);
      expect(created.text).toBe(JSON.stringify(car));
      expect(created.headers.get('location')).toBe(address);
      expect(created.headers.get('content-location')).toBe(address);
      expect(created.headers.get('content-language')).toBe(language);
      expect(created.headers.get('link')).toBe(`<${otherAddress}>; rel="alternate"; hreflang="${other}"`);
      expect((await send('GET', address)).text).toBe(JSON.stringify(car));
      expect((await send('GET', otherAddress)).text).toBe(JSON.stringify(otherCar));
    });

    test('changes one attribute alone and leaves the rest', async () => {
      await send('POST', cars, car);
      const changed = await send('PUT', address, change);
      expect(changed.status).toBe(200);
      expect(changed.json).toEqual({ ...car, ...change });
    });

    test('patches one attribute alone, and gives its new tag', async () => {
      await send('POST', cars, car);
      for (const type of ['application/merge-patch+json', 'application/json']) {
        const patched = await send('PATCH', address, change, { 'content-type': type });
        expect([patched.status, patched.json]).toEqual([200, { ...car, ...change }]);
        expect(patched.headers.get('link')).toBe(`<${otherAddress}>; rel="alternate"; hreflang="${other}"`);
        expect(patched.headers.get('etag')).toBe((await send('GET', address)).headers.get('etag'));
      }
    });

    test('deletes a car, once, and its oils', async () => {
      await send('POST', cars, car);
      await send('POST', `${address}/${oils}`, oil);
      const deleted = await send('DELETE', address);
      expect([deleted.status, deleted.text]).toEqual([204, '']);
      expect((await send('DELETE', address)).status).toBe(404);
      expect((await send('GET', otherAddress)).status).toBe(404);
      expect((await send('GET', `${otherAddress}/${otherOils}/5W-30`)).status).toBe(404);
      await send('POST', cars, car);
      expect((await send('GET', `${address}/${oils}`)).json).toEqual([]);
    });

    test('creates, reads, changes and deletes an oil, with and without a slash at the end', async () => {
      await send('POST', cars, car);
      const created = await send('POST', `${address}/${oils}/`, oil);
      expect(created.status).toBe(201);
      expect(created.text).toBe(JSON.stringify(oil));
      expect(created.headers.get('location')).toBe(`${address}/${oils}/5W-30`);
      for (const slash of ['', '/']) {
        expect((await send('GET', `${address}/${oils}/5W-30${slash}`)).text).toBe(JSON.stringify(oil));
        expect((await send('GET', `${otherAddress}/${otherOils}/5W-30${slash}`)).text).toBe(JSON.stringify(otherOil));
        expect((await send('PUT', `${address}/${oils}/5W-30${slash}`, oil)).text).toBe(JSON.stringify(oil));
      }
      expect((await send('DELETE', `${address}/${oils}/5W-30`)).status).toBe(204);
      expect((await send('GET', `${address}/${oils}`)).json).toEqual([]);
    });
  },
);
