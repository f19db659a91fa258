import {
  Api,
  type Coche,
  type CocheNuevo,
  type HttpResponse,
  type Problem,
} from './generated/swagger-typescript-api-es.ts';

const potencia = ({ cilindrada }: Coche): number => cilindrada ?? 0;

/** This client puts keys into paths as they are. */
const KEY = encodeURIComponent('ibiza/1');

/** This client throws the response to what is refused. */
const problemOf = (refused: Promise<unknown>): Promise<Problem> =>
  refused.then(
    () => Promise.reject(new Error('not refused')),
    ({ error }: HttpResponse<unknown, Problem>) => error,
  );

/** Documents describe groups in words only, so their type is the client’s own. */
interface Marca {
  readonly marca?: string;
  readonly total: number;
}

/** What a Spanish client does, typed in its words throughout, at the address that the client has by itself. */
export const converse = async (baseUrl: string) => {
  const { api } = new Api({ customFetch: (path, init) => fetch(new URL(String(path), baseUrl), init) });
  const coche: CocheNuevo = {
    identificador: 'ibiza/1',
    marca: 'Seat',
    modelo: 'Ibiza',
    anio: 2008,
    cilindrada: 105,
    climatizador: true,
  };
  const created = await api.carsCreate(coche);
  await api.carsUpdate(KEY, { puertas: 5, anio: null });
  const changed = await api.carsPatch(KEY, {});
  await api.oilsCreate(KEY, { tipo: '5W-30', otros_datos: 'ñ' });
  const oils = await api.oilsList(KEY, { tipo: ['5w-30'] });
  const listed = await api.carsList({
    marca: ['seat', 'Citroën'],
    cilindrada: [105],
    ordenar_por: 'anio',
    orden: 'descendente',
    numero_de_elementos: 5,
  });
  const found = await api.carsList({ buscar: 'ibi seat' });
  const groups = await api.carsList({ buscar: 'ibi seat', agrupar_por: 'marca' });
  const refused = await problemOf(api.carsUpdate(KEY, { puertas: 21 }));
  const removed = await api.carsRemove(KEY);
  const gone = await problemOf(api.carsRead(KEY));
  return {
    created: created.data,
    changed: changed.data,
    oils: oils.data.map(({ tipo, otros_datos = '' }) => [tipo, otros_datos]),
    found: found.data.map(({ identificador }) => identificador),
    groups: groups.data as readonly unknown[] as readonly Marca[],
    power: listed.data.map(potencia),
    refused: refused.code === 'invalid-value' ? refused.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.status,
    gone: gone.code,
  };
};
