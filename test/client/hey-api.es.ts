import { createClient } from './generated/hey-api-es/client/index.ts';
import {
  type Coche,
  type CocheNuevo,
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
  oilsCreate,
  oilsList,
} from './generated/hey-api-es/index.ts';

const potencia = ({ cilindrada }: Coche): number => cilindrada ?? 0;

/** What a Spanish client does, typed in its words throughout. */
export const converse = async (baseUrl: string) => {
  const client = createClient({ baseUrl });
  const coche: CocheNuevo = {
    identificador: 'ibiza/1',
    marca: 'Seat',
    modelo: 'Ibiza',
    anio: 2008,
    cilindrada: 105,
    climatizador: true,
  };
  const created = await carsCreate({ client, body: coche });
  const path = { identificador: 'ibiza/1' };
  const headers = { 'If-Match': created.response?.headers.get('etag') ?? '' };
  const changed = await carsPatch({ client, path, headers, body: { puertas: 5, anio: null } });
  const stale = await carsPatch({ client, path, headers, body: {} });
  await oilsCreate({ client, path, body: { tipo: '5W-30', otros_datos: 'ñ' } });
  const oils = await oilsList({ client, path, query: { tipo: ['5w-30'] } });
  const listed = await carsList({
    client,
    query: {
      marca: ['seat', 'Citroën'],
      cilindrada: [105],
      ordenar_por: 'anio',
      orden: 'descendente',
      numero_de_elementos: 5,
    },
  });
  const found = await carsList({ client, query: { buscar: 'ibi seat' } });
  const groups = await carsGroup({ client, query: { buscar: 'ibi seat', agrupar_por: 'marca' } });
  const imported = await carsImport({ client, body: new Blob(['identificador;marca;modelo\nleon/1;Seat;León\n']) });
  const query = { modelo: ['leon'] };
  const selected = await carsSelect({ client, query: { ...query, campos: 'marca' } });
  const exported = await carsExport({ client, query: { ...query, formato: 'csv', campos: 'modelo' } });
  await carsRemove({ client, path: { identificador: 'leon/1' } });
  const { error } = await carsUpdate({ client, path, body: { puertas: 21 } });
  const removed = await carsRemove({ client, path });
  const gone = await carsRead({ client, path });
  return {
    created: created.data,
    changed: changed.data,
    oils: oils.data?.map(({ tipo, otros_datos = '' }) => [tipo, otros_datos]),
    found: found.data?.map(({ identificador }) => identificador),
    stale: stale.error?.code,
    groups: groups.data?.map(({ marca = '', total }) => [marca, total]),
    imported: imported.data?.creados,
    selected: selected.data,
    exported: exported.data?.split('\r\n'),
    power: listed.data?.map(potencia),
    refused: error?.code === 'invalid-value' ? error.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.response?.status,
    gone: gone.error?.code,
  };
};
