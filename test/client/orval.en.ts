import {
  type Car,
  carsCreate,
  carsList,
  carsPatch,
  carsRead,
  carsRemove,
  carsUpdate,
  type NewCar,
  oilsCreate,
  oilsList,
} from './generated/orval-en-fetch.ts';
import {
  CarsCreateBody,
  CarsCreateResponse,
  CarsListQueryParams,
  CarsListResponse,
  CarsPatchResponse,
  CarsUpdateBody,
  OilsListResponse,
} from './generated/orval-en-zod.ts';
import { origin } from './origin.ts';

const power = ({ enginePower }: Car): number => enginePower ?? 0;

/** Documents describe groups in words only, so their type is the client’s own. */
interface Brand {
  readonly brand?: string;
  readonly total: number;
}

/** What an English client does, typed in its words throughout; zod checks what it sends and what it gets. */
export const converse = async (baseUrl: string) => {
  origin.url = baseUrl;
  const car: NewCar = {
    identifier: 'ibiza/1',
    brand: 'Seat',
    model: 'Ibiza',
    year: 2008,
    enginePower: 105,
    clima: true,
  };
  const created = await carsCreate(CarsCreateBody.parse(car));
  await carsUpdate('ibiza/1', CarsUpdateBody.parse({ doors: 5, year: null }));
  const changed = await carsPatch('ibiza/1', {});
  await oilsCreate('ibiza/1', { type: '5W-30', otherInfo: 'ñ' });
  const oils = await oilsList('ibiza/1', { type: ['5w-30'] });
  const query = {
    brand: ['seat', 'Citroën'],
    enginePower: [105],
    sort_by: 'year',
    order: 'desc',
    number_of_elements: 5,
  };
  const listed = await carsList(CarsListQueryParams.parse(query));
  const found = await carsList(CarsListQueryParams.parse({ search: 'ibi seat' }));
  const groups = await carsList(CarsListQueryParams.parse({ search: 'ibi seat', group_by: 'brand' }));
  const tooMany = { doors: 21 };
  const refused = await carsUpdate('ibiza/1', tooMany);
  const removed = await carsRemove('ibiza/1');
  const gone = await carsRead('ibiza/1');
  return {
    created: CarsCreateResponse.parse(created.data),
    changed: CarsPatchResponse.parse(changed.data),
    oils: OilsListResponse.parse(oils.data).map(({ type, otherInfo = '' }) => [type, otherInfo]),
    found: CarsListResponse.parse(found.data).map(({ identifier }) => identifier),
    groups: groups.data as readonly unknown[] as readonly Brand[],
    power: CarsListResponse.parse(listed.data).map(power),
    refused:
      refused.status === 400 && !CarsUpdateBody.safeParse(tooMany).success
        ? refused.data.errors?.map(({ pointer }) => pointer)
        : [],
    removed: removed.status,
    gone: gone.status === 404 ? gone.data.code : undefined,
  };
};
