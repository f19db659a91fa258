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
} from './generated/orval-es-fetch.ts';
import {
  CarsCreateBody,
  CarsCreateResponse,
  CarsListQueryParams,
  CarsListResponse,
  CarsPatchResponse,
  CarsUpdateBody,
  OilsListResponse,
} from './generated/orval-es-zod.ts';
import { origin } from './origin.ts';

const potencia = ({ cilindrada }: Coche): number => cilindrada ?? 0;

/** Documents describe groups in words only, so their type is the client’s own. */
interface Marca {
  readonly marca?: string;
  readonly total: number;
}

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
  await carsUpdate('ibiza/1', CarsUpdateBody.parse({ puertas: 5, anio: null }));
  const changed = await carsPatch('ibiza/1', {});
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
  const groups = await carsList(CarsListQueryParams.parse({ buscar: 'ibi seat', agrupar_por: 'marca' }));
  const demasiadas = { puertas: 21 };
  const refused = await carsUpdate('ibiza/1', demasiadas);
  const removed = await carsRemove('ibiza/1');
  const gone = await carsRead('ibiza/1');
  return {
    created: CarsCreateResponse.parse(created.data),
    changed: CarsPatchResponse.parse(changed.data),
    oils: OilsListResponse.parse(oils.data).map(({ tipo, otros_datos = '' }) => [tipo, otros_datos]),
    found: CarsListResponse.parse(found.data).map(({ identificador }) => identificador),
    groups: groups.data as readonly unknown[] as readonly Marca[],
    power: CarsListResponse.parse(listed.data).map(potencia),
    refused:
      refused.status === 400 && !CarsUpdateBody.safeParse(demasiadas).success
        ? refused.data.errors?.map(({ pointer }) => pointer)
        : [],
    removed: removed.status,
    gone: gone.status === 404 ? gone.data.code : undefined,
  };
};
