import createClient from 'openapi-fetch';
import type { components, paths } from './generated/es.ts';

type Coche = components['schemas']['Coche'];
// openapi-fetch lets members pass that a body does not have, so bodies are typed where they are made.
type Nuevo = components['schemas']['CocheNuevo'];

const potencia = ({ cilindrada }: Coche): number => cilindrada ?? 0;

/** What a Spanish client does, typed in its words throughout. */
export const converse = async (baseUrl: string) => {
  const { GET, POST, PUT, PATCH, DELETE } = createClient<paths>({ baseUrl });
  const coche: Nuevo = {
    identificador: 'ibiza/1',
    marca: 'Seat',
    modelo: 'Ibiza',
    anio: 2008,
    cilindrada: 105,
    climatizador: true,
  };
  const created = await POST('/api/coches', {
    body: coche,
  });
  const path = { identificador: 'ibiza/1' };
  const change = {
    params: { path, header: { 'If-Match': created.response.headers.get('etag') ?? '' } },
    body: { puertas: 5, anio: null },
  };
  const changed = await PATCH('/api/coches/{identificador}', change);
  const stale = await PATCH('/api/coches/{identificador}', change);
  await POST('/api/coches/{identificador}/aceites', { params: { path }, body: { tipo: '5W-30', otros_datos: 'ñ' } });
  const oils = await GET('/api/coches/{identificador}/aceites', { params: { path, query: { tipo: ['5w-30'] } } });
  const listed = await GET('/api/coches', {
    params: {
      query: {
        marca: ['seat', 'Citroën'],
        cilindrada: [105],
        ordenar_por: 'anio',
        orden: 'descendente',
        numero_de_elementos: 5,
        cilindrada_desde: 100,
        puertas_hasta: 5,
        incluir: 'aceites',
      },
    },
  });
  const found = await GET('/api/coches', { params: { query: { buscar: 'ibi seat' } } });
  const groups = await GET('/api/grupos/coches', { params: { query: { buscar: 'ibi seat', agrupar_por: 'marca' } } });
  const imported = await POST('/api/importaciones/coches', {
    body: new Blob(['identificador;marca;modelo\nleon/1;Seat;León\n']),
    bodySerializer: (file) => file,
    headers: { 'Content-Type': 'text/csv' },
  });
  const query = { modelo: ['leon'] };
  const selected = await GET('/api/selecciones/coches', { params: { query: { ...query, campos: 'marca' } } });
  const exported = await GET('/api/exportaciones/coches', {
    params: { query: { ...query, formato: 'csv', campos: 'modelo' } },
    parseAs: 'text',
  });
  await DELETE('/api/coches/{identificador}', { params: { path: { identificador: 'leon/1' } } });
  const refused = await PUT('/api/coches/{identificador}', { params: { path }, body: { puertas: 21 } });
  const removed = await DELETE('/api/coches/{identificador}', { params: { path } });
  const gone = await GET('/api/coches/{identificador}', { params: { path } });
  const { error } = refused;
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
    // The code tells which problem it is, and so what else there is to know of it.
    refused: error?.code === 'invalid-value' ? error.errors?.map(({ pointer }) => pointer) : [],
    removed: removed.response.status,
    gone: gone.error?.code,
  };
};
