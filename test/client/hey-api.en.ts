import { createClient } from './generated/hey-api-en/client/index.ts';
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
} from './generated/hey-api-en/index.ts';

const power = ({ enginePower }: Car): number => enginePower ?? 0;

/** What an English client does, typed in its words throughout. */
export const converse = async (baseUrl: string) => {
  const client = createClient({ baseUrl });
  const car: NewCar = {
    identifier: 'ibiza/1',
    brand: 'Seat',
    model: 'Ibiza',
    year: 2008,
    enginePower: 105,
    clima: true,
  };
  const created = await carsCreate({ client, body: car });
  const path = { identifier: 'ibiza/1' };
  const headers = { 'If-Match': created.response?.headers.get('etag') ?? '' };
  const changed = await carsPatch({ client, path, headers, body: { doors: 5, year: null } });
  const stale = await carsPatch({ client, path, headers, body: {} });
  await oilsCreate({ client, path, body: { type: '5W-30', otherInfo: 'ñ' } });
  const oils = await oilsList({ client, path, query: { type: ['5w-30'] } });
  const listed = await carsList({
    client,
    query: { brand: ['seat', 'Citroën'], enginePower: [105], sort_by: 'year', order: 'desc', number_of_elements: 5 },
  });
  const found = await carsList({ client, query: { search: 'ibi seat' } });
  const groups = await carsGroup({ client, query: { search: 'ibi seat', group_by: 'brand' } });
  const imported = await carsImport({ client, body: new Blob(['identifier,brand,model\nleon/1,Seat,León\n']) });
  const query = { model: ['leon'] };
  const selected = await carsSelect({ client, query: { ...query, fields: 'brand' } });
  const exported = await carsExport({ client, query: { ...query, format: 'csv', fields: 'model' } });
  await carsRemove({ client, path: { identifier: 'leon/1' } });
  const { error } = await carsUpdate({ client, path, body: { doors: 21 } });
  const removed = await carsRemove({ client, path });
  const gone = await carsRead({ client, path });
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
    refused: error?.code === 'invalid-value' ? error.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.response?.status,
    gone: gone.error?.code,
  };
};
