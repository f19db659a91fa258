import createClient from 'openapi-fetch';
import type { components, paths } from './generated/en.ts';

type Car = components['schemas']['Car'];
// openapi-fetch lets members pass that a body does not have, so bodies are typed where they are made.
type New = components['schemas']['NewCar'];

const power = ({ enginePower }: Car): number => enginePower ?? 0;

/** What an English client does, typed in its words throughout. */
export const converse = async (baseUrl: string) => {
  const { GET, POST, PUT, PATCH, DELETE } = createClient<paths>({ baseUrl });
  const car: New = { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza', year: 2008, enginePower: 105, clima: true };
  const created = await POST('/api/cars', {
    body: car,
  });
  const path = { identifier: 'ibiza/1' };
  const change = {
    params: { path, header: { 'If-Match': created.response.headers.get('etag') ?? '' } },
    body: { doors: 5, year: null },
  };
  const changed = await PATCH('/api/cars/{identifier}', change);
  const stale = await PATCH('/api/cars/{identifier}', change);
  await POST('/api/cars/{identifier}/oils', { params: { path }, body: { type: '5W-30', otherInfo: 'ñ' } });
  const oils = await GET('/api/cars/{identifier}/oils', { params: { path, query: { type: ['5w-30'] } } });
  const listed = await GET('/api/cars', {
    params: {
      query: {
        brand: ['seat', 'Citroën'],
        enginePower: [105],
        enginePower_from: 100,
        doors_to: 5,
        sort_by: 'year',
        order: 'desc',
        number_of_elements: 5,
        include: 'oils',
      },
    },
  });
  const found = await GET('/api/cars', { params: { query: { search: 'ibi seat' } } });
  const groups = await GET('/api/groups/cars', { params: { query: { search: 'ibi seat', group_by: 'brand' } } });
  const imported = await POST('/api/imports/cars', {
    body: new Blob(['identifier,brand,model\nleon/1,Seat,León\n']),
    bodySerializer: (file) => file,
    headers: { 'Content-Type': 'text/csv' },
  });
  const query = { model: ['leon'] };
  const selected = await GET('/api/selections/cars', { params: { query: { ...query, fields: 'brand' } } });
  const exported = await GET('/api/exports/cars', {
    params: { query: { ...query, format: 'csv', fields: 'model' } },
    parseAs: 'text',
  });
  await DELETE('/api/cars/{identifier}', { params: { path: { identifier: 'leon/1' } } });
  const refused = await PUT('/api/cars/{identifier}', { params: { path }, body: { doors: 21 } });
  const removed = await DELETE('/api/cars/{identifier}', { params: { path } });
  const gone = await GET('/api/cars/{identifier}', { params: { path } });
  const { error } = refused;
  return {
    created: created.data,
    changed: changed.data,
    oils: oils.data?.map(({ type, otherInfo = '' }) => [type, otherInfo]),
    found: found.data?.map(({ identifier }) => identifier),
    stale: stale.error?.code,
    groups: groups.data?.map(({ brand = '', total }) => [brand, total]),
    imported: imported.data?.created,
    selected: selected.data,
    exported: exported.data?.split('\r\n'),
    power: listed.data?.map(power),
    // The code tells which problem it is, and so what else there is to know of it.
    refused: error?.code === 'invalid-value' ? error.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.response.status,
    gone: gone.error?.code,
  };
};
