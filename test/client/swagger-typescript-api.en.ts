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

/** Documents describe groups in words only, so their type is the client’s own. */
interface Brand {
  readonly brand?: string;
  readonly total: number;
}

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
  await api.carsUpdate(KEY, { doors: 5, year: null });
  const changed = await api.carsPatch(KEY, {});
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
  const groups = await api.carsList({ search: 'ibi seat', group_by: 'brand' });
  const refused = await problemOf(api.carsUpdate(KEY, { doors: 21 }));
  const removed = await api.carsRemove(KEY);
  const gone = await problemOf(api.carsRead(KEY));
  return {
    created: created.data,
    changed: changed.data,
    oils: oils.data.map(({ type, otherInfo = '' }) => [type, otherInfo]),
    found: found.data.map(({ identifier }) => identifier),
    groups: groups.data as readonly unknown[] as readonly Brand[],
    power: listed.data.map(power),
    refused: refused.code === 'invalid-value' ? refused.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.status,
    gone: gone.code,
  };
};
