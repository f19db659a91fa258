import { expect } from 'vitest';
import { openApp } from '../app/app.ts';

/** What clients know of a car and of the list of cars. */
const tagsOf = async (database: string): Promise<readonly string[]> => {
  const { send, close } = await openApp({ database });
  const answers = [await send('GET', '/api/coches/a'), await send('GET', '/api/cars')];
  await close();
  return answers.map(({ headers }) => headers.get('etag') ?? '');
};

/** @returns the position of the change */
const change = async (database: string, puertas: number): Promise<string> => {
  const { send, close } = await openApp({ database });
  const { status, headers } = await send('PUT', '/api/coches/a', { puertas });
  expect(status).toBe(200);
  await close();
  return headers.get('x-change') ?? '';
};

/**
 * Changes a car, puts a copy in place that does not have the change, and changes the car otherwise: the tag of the change
 * that is lost must be known to nobody, and its position is gone.
 *
 * @param copy @returns the address of a copy of a database that nobody has open
 */
export const expectNoTagTwice = async (
  database: string,
  copy: (database: string) => Promise<string>,
): Promise<void> => {
  const first = await openApp({ database });
  const made = await first.send('POST', '/api/cars', { identifier: 'a', brand: 'Seat', model: 'Ibiza', doors: 1 });
  const known = made.headers.get('x-change');
  await first.close();
  const restored = await copy(database);
  const lost = await change(database, 3);
  const [lostItem = '', lostList = ''] = await tagsOf(database);
  await change(restored, 5);
  expect(await tagsOf(restored)).not.toContain(lostItem);
  expect(await tagsOf(restored)).not.toContain(lostList);

  const { send, close } = await openApp({ database: restored });
  expect((await send('GET', '/api/coches/a', undefined, { 'if-none-match': lostItem })).json.puertas).toBe(5);
  expect((await send('GET', '/api/cars', undefined, { 'if-none-match': lostList })).json[0].doors).toBe(5);
  const late = await send('PUT', '/api/coches/a', { puertas: 4 }, { 'if-match': lostItem });
  expect([late.status, late.json.code]).toEqual([412, 'precondition-failed']);
  expect((await send('GET', '/api/cars/a')).json.doors).toBe(5);
  expect((await send('GET', `/api/cars?changed_since=${lost}`)).status).toBe(410);
  const kept = await send('GET', `/api/coches?cambiado_desde=${known}`);
  expect([kept.status, kept.json.length]).toEqual([200, 1]);
  await close();
};
