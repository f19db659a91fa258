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
const combineErrors = (refused: Promise<unknown>): Promise<Problem> =>
  refused.then(
    () => Promise.reject(new Error('not refused')),
    ({ error }: HttpResponse<unknown, Problem>) => error,
  );

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
  const headers = { 'If-Match': created.headers.get('etag') ?? '' };
  const changed = await api.carsPatch(KEY, { puertas: 5, anio: null }, { headers });
  const stale = await combineErrors(api.carsPatch(KEY, {}, { headers }));
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
  const groups = await api.carsGroup({ buscar: 'ibi seat', agrupar_por: 'marca' });
  // This client has a method for it that writes a `File` as JSON, which is `{}`.
  const imported = await fetch(new URL('/api/importaciones/coches', baseUrl), {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: 'identificador;marca;modelo\nleon/1;Seat;León\n',
  });
  const some = { modelo: ['leon'] };
  const selected = await api.carsSelect({ ...some, campos: 'marca' });
  const exported = await api.carsExport({ ...some, formato: 'csv', campos: 'modelo' }, { format: 'text' });
  await api.carsRemove(encodeURIComponent('leon/1'));
  const refused = await combineErrors(api.carsUpdate(KEY, { puertas: 21 }));
  const removed = await api.carsRemove(KEY);
  const gone = await combineErrors(api.carsRead(KEY));
  return {
    created: created.data,
    changed: changed.data,
    oils: oils.data.map(({ tipo, otros_datos = '' }) => [tipo, otros_datos]),
    found: found.data.map(({ identificador }) => identificador),
    stale: stale.code,
    groups: groups.data.map(({ marca = '', total }) => [marca, total]),
    imported: imported.ok ? 1 : 0,
    selected: selected.data,
    exported: exported.data.split('\r\n'),
    power: listed.data.map(potencia),
    refused: refused.code === 'invalid-value' ? refused.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.status,
    gone: gone.code,
  };
};
