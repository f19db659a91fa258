import { createClient } from './generated/hey-api-es/client/index.ts';
import {
  type Coche,
  type CocheNuevo,
  carsCreate,
  carsList,
  carsPatch,
  carsRead,
  carsRemove,
  carsUpdate,
  oilsCreate,
  oilsList,
} from './generated/hey-api-es/index.ts';

const potencia = ({ cilindrada }: Coche): number => cilindrada ?? 0;

/** Documents describe groups in words only, so their type is the client’s own. */
interface Marca {
  readonly marca?: string;
  readonly total: number;
}

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
  await carsUpdate({ client, path, body: { puertas: 5, anio: null } });
  const changed = await carsPatch({ client, path, body: {} });
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
  const groups = await carsList({ client, query: { buscar: 'ibi seat', agrupar_por: 'marca' } });
  const { error } = await carsUpdate({ client, path, body: { puertas: 21 } });
  const removed = await carsRemove({ client, path });
  const gone = await carsRead({ client, path });
  return {
    created: created.data,
    changed: changed.data,
    oils: oils.data?.map(({ tipo, otros_datos = '' }) => [tipo, otros_datos]),
    found: found.data?.map(({ identificador }) => identificador),
    groups: groups.data as readonly unknown[] as readonly Marca[],
    power: listed.data?.map(potencia),
    refused: error?.code === 'invalid-value' ? error.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.response?.status,
    gone: gone.error?.code,
  };
};
