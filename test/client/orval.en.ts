import {
  type Car,
  carsCreate,
  carsExport,
  carsGroup,
  carsImport,
  carsList,
  carsPatch,
  carsRead,
  carsRemove,
  carsSelect,
  carsUpdate,
  type NewCar,
  oilsCreate,
  oilsList,
} from './generated/orval-en-fetch.ts';
import {
  CarsCreateBody,
  CarsCreateResponse,
  CarsGroupQueryParams,
  CarsGroupResponse,
  CarsImportResponse,
  CarsListQueryParams,
  CarsListResponse,
  CarsPatchResponse,
  CarsSelectResponse,
  CarsUpdateBody,
  OilsListResponse,
} from './generated/orval-en-zod.ts';
import { origin } from './origin.ts';

const power = ({ enginePower }: Car): number => enginePower ?? 0;

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
  const options = { headers: { 'If-Match': created.headers.get('etag') ?? '' } };
  const changed = await carsPatch('ibiza/1', { doors: 5, year: null }, options);
  const stale = await carsPatch('ibiza/1', {}, options);
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
  const groups = await carsGroup(CarsGroupQueryParams.parse({ search: 'ibi seat', group_by: 'brand' }));
  const imported = await carsImport(new Blob(['identifier,brand,model\nleon/1,Seat,León\n']));
  const some = { model: ['leon'] };
  const selected = await carsSelect({ ...some, fields: 'brand' });
  const exported = await carsExport({ ...some, format: 'csv', fields: 'model' });
  await carsRemove('leon/1');
  const tooMany = { doors: 21 };
  const refused = await carsUpdate('ibiza/1', tooMany);
  const removed = await carsRemove('ibiza/1');
  const gone = await carsRead('ibiza/1');
  return {
    created: CarsCreateResponse.parse(created.data),
    changed: CarsPatchResponse.parse(changed.data),
    oils: OilsListResponse.parse(oils.data).map(({ type, otherInfo = '' }) => [type, otherInfo]),
    found: CarsListResponse.parse(found.data).map(({ identifier }) => identifier),
    stale: stale.status === 412 ? stale.data.code : undefined,
    groups: CarsGroupResponse.parse(groups.data).map(({ brand = '', total }) => [brand, total]),
    imported: CarsImportResponse.parse(imported.data).created,
    selected: CarsSelectResponse.parse(selected.data),
    exported: exported.status === 200 ? exported.data.split('\r\n') : [],
    power: CarsListResponse.parse(listed.data).map(power),
    refused:
      refused.status === 400 && !CarsUpdateBody.safeParse(tooMany).success
        ? refused.data.errors?.map(({ pointer }) => pointer)
        : [],
    removed: removed.status,
    gone: gone.status === 404 ? gone.data.code : undefined,
  };
};
