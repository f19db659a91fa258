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
} from './generated/orval-es-fetch.ts';
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
} from './generated/orval-es-zod.ts';
import { origin } from './origin.ts';

const potencia = ({ cilindrada }: Coche): number => cilindrada ?? 0;

/** What a Spanish client does, typed in its words throughout; zod checks what it sends and what it gets. */
export const converse = async (baseUrl: string) => {
  origin.url = baseUrl;
  const coche: CocheNuevo = {
    identificador: 'ibiza/1',
    marca: 'Seat',
    modelo: 'Ibiza',
    anio: 2008,
    cilindrada: 105,
    climatizador: true,
  };
  const created = await carsCreate(CarsCreateBody.parse(coche));
  const options = { headers: { 'If-Match': created.headers.get('etag') ?? '' } };
  const changed = await carsPatch('ibiza/1', { puertas: 5, anio: null }, options);
  const stale = await carsPatch('ibiza/1', {}, options);
  await oilsCreate('ibiza/1', { tipo: '5W-30', otros_datos: 'ñ' });
  const oils = await oilsList('ibiza/1', { tipo: ['5w-30'] });
  const query = {
    marca: ['seat', 'Citroën'],
    cilindrada: [105],
    ordenar_por: 'anio',
    orden: 'descendente',
    numero_de_elementos: 5,
  };
  const listed = await carsList(CarsListQueryParams.parse(query));
  const found = await carsList(CarsListQueryParams.parse({ buscar: 'ibi seat' }));
  const groups = await carsGroup(CarsGroupQueryParams.parse({ buscar: 'ibi seat', agrupar_por: 'marca' }));
  const imported = await carsImport(new Blob(['identificador;marca;modelo\nleon/1;Seat;León\n']));
  const some = { modelo: ['leon'] };
  const selected = await carsSelect({ ...some, campos: 'marca' });
  const exported = await carsExport({ ...some, formato: 'csv', campos: 'modelo' });
  await carsRemove('leon/1');
  const demasiadas = { puertas: 21 };
  const refused = await carsUpdate('ibiza/1', demasiadas);
  const removed = await carsRemove('ibiza/1');
  const gone = await carsRead('ibiza/1');
  return {
    created: CarsCreateResponse.parse(created.data),
    changed: CarsPatchResponse.parse(changed.data),
    oils: OilsListResponse.parse(oils.data).map(({ tipo, otros_datos = '' }) => [tipo, otros_datos]),
    found: CarsListResponse.parse(found.data).map(({ identificador }) => identificador),
    stale: stale.status === 412 ? stale.data.code : undefined,
    groups: CarsGroupResponse.parse(groups.data).map(({ marca = '', total }) => [marca, total]),
    imported: CarsImportResponse.parse(imported.data).creados,
    selected: CarsSelectResponse.parse(selected.data),
    exported: exported.status === 200 ? exported.data.split('\r\n') : [],
    power: CarsListResponse.parse(listed.data).map(potencia),
    refused:
      refused.status === 400 && !CarsUpdateBody.safeParse(demasiadas).success
        ? refused.data.errors?.map(({ pointer }) => pointer)
        : [],
    removed: removed.status,
    gone: gone.status === 404 ? gone.data.code : undefined,
  };
};
