import { Api, type Car, type HttpResponse, type NewCar, type Problem } from './generated/swagger-typescript-api-en.ts';

const power = ({ enginePower }: Car): number => enginePower ?? 0;

/** This client puts keys into paths as they are. */
const KEY = encodeURIComponent('ibiza/1');

/** This client throws the response to what is refused. */
const problemOf = (refused: Promise<unknown>): Promise<Problem> =>
  refused.then(
    () => Promise.reject(new Error('not refused')),
    ({ error }: HttpResponse<unknown, Problem>) => error,
  );

/** What an English client does, typed in its words throughout, at the address that the client has by itself. */
export const converse = async (baseUrl: string) => {
  const { api } = new Api({ customFetch: (path, init) => fetch(new URL(String(path), baseUrl), init) });
  const car: NewCar = {
    identifier: 'ibiza/1',
    brand: 'Seat',
    model: 'Ibiza',
    year: 2008,
    enginePower: 105,
    clima: true,
  };
  const created = await api.carsCreate(car);
  const headers = { 'If-Match': created.headers.get('etag') ?? '' };
  const changed = await api.carsPatch(KEY, { doors: 5, year: null }, { headers });
  const stale = await problemOf(api.carsPatch(KEY, {}, { headers }));
  await api.oilsCreate(KEY, { type: '5W-30', otherInfo: 'ñ' });
  const oils = await api.oilsList(KEY, { type: ['5w-30'] });
  const listed = await api.carsList({
    brand: ['seat', 'Citroën'],
    enginePower: [105],
    sort_by: 'year',
    order: 'desc',
    number_of_elements: 5,
  });
  const found = await api.carsList({ search: 'ibi seat' });
  const groups = await api.carsGroup({ search: 'ibi seat', group_by: 'brand' });
  // This client has a method for it that writes a `File` as JSON, which is `{}`.
  const imported = await fetch(new URL('/api/imports/cars', baseUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: 'identifier,brand,model\nleon/1,Seat,León\n',
  });
  const some = { model: ['leon'] };
  const selected = await api.carsSelect({ ...some, fields: 'brand' });
  const exported = await api.carsExport({ ...some, format: 'csv', fields: 'model' }, { format: 'text' });
  await api.carsRemove(encodeURIComponent('leon/1'));
  const refused = await problemOf(api.carsUpdate(KEY, { doors: 21 }));
  const removed = await api.carsRemove(KEY);
  const gone = await problemOf(api.carsRead(KEY));
  return {
    created: created.data,
    changed: changed.data,
    oils: oils.data.map(({ type, otherInfo = '' }) => [type, otherInfo]),
    found: found.data.map(({ identifier }) => identifier),
    stale: stale.code,
    groups: groups.data.map(({ brand = '', total }) => [brand, total]),
    imported: imported.ok ? 1 : 0,
    selected: selected.data,
    exported: exported.data.split('\r\n'),
    power: listed.data.map(power),
    refused: refused.code === 'invalid-value' ? refused.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.status,
    gone: gone.code,
  };
};
