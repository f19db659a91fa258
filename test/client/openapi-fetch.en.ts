import createClient from 'openapi-fetch';
import type { components, paths } from './generated/en.ts';

type Car = components['schemas']['Car'];
// openapi-fetch lets members pass that a body does not have, so bodies are typed where they are made.
type New = components['schemas']['NewCar'];

const power = ({ enginePower }: Car): number => enginePower ?? 0;

/** Documents describe groups in words only, so their type is the client’s own. */
interface Brand {
  readonly brand?: string;
  readonly total: number;
}

/** What an English client does, typed in its words throughout. */
export const converse = async (baseUrl: string) => {
  const { GET, POST, PUT, DELETE } = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl });
  const car: New = { identifier: 'ibiza/1', brand: 'Seat', model: 'Ibiza', year: 2008, enginePower: 105, clima: true };
  const created = await POST('/api/cars', {
    body: car,
  });
  const path = { identifier: 'ibiza/1' };
  const changed = await PUT('/api/cars/{identifier}', { params: { path }, body: { doors: 5, year: null } });
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
  const groups = await GET('/api/cars', { params: { query: { search: 'ibi seat', group_by: 'brand' } } });
  const refused = await PUT('/api/cars/{identifier}', { params: { path }, body: { doors: 21 } });
  const removed = await DELETE('/api/cars/{identifier}', { params: { path } });
  const gone = await GET('/api/cars/{identifier}', { params: { path } });
  const { error } = refused;
  return {
    created: created.data,
    changed: changed.data,
    oils: oils.data?.map(({ type, otherInfo = '' }) => [type, otherInfo]),
    found: found.data?.map(({ identifier }) => identifier),
    groups: groups.data as readonly unknown[] as readonly Brand[],
    power: listed.data?.map(power),
    // The code tells which problem it is, and so what else there is to know of it.
    refused: error?.code === 'invalid-value' ? error.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.response.status,
    gone: gone.error?.code,
  };
};
