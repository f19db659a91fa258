import createClient from 'openapi-fetch';
import type { paths as English, components as EnglishParts } from './generated/en.ts';
import type { paths as Spanish, components as SpanishParts } from './generated/es.ts';

import type { CarsListData, NewCar as HeyCar } from './generated/hey-api-en/index.ts';
import type { CocheNuevo as HeyCoche } from './generated/hey-api-es/index.ts';
import type { CarsListParams, NewCar as OrvalCar } from './generated/orval-en-fetch.ts';
import type { CocheNuevo as OrvalCoche } from './generated/orval-es-fetch.ts';
import { Api as EnglishApi } from './generated/swagger-typescript-api-en.ts';
import { Api as SpanishApi } from './generated/swagger-typescript-api-es.ts';

type Car = EnglishParts['schemas']['NewCar'];
type Coche = SpanishParts['schemas']['CocheNuevo'];
type CarQuery = English['/api/cars']['get']['parameters']['query'];
type CocheQuery = Spanish['/api/coches']['get']['parameters']['query'];
type GrupoQuery = Spanish['/api/grupos/coches']['get']['parameters']['query'];

/** Each line marked so must fail to compile: one that compiles is an error itself. */
export const mistakes = async (baseUrl: string) => {
  const es = createClient<Spanish>({ baseUrl });
  const en = createClient<English>({ baseUrl });
  // @ts-expect-error a path of the other language
  await es.GET('/api/cars', {});
  // @ts-expect-error a path of the other language
  await en.GET('/api/coches', {});
  // @ts-expect-error a member of the other language
  const coche: Coche = { marca: 'Seat', modelo: 'Ibiza', year: 2008 };
  // @ts-expect-error a member of the other language
  const car: Car = { brand: 'Seat', model: 'Ibiza', anio: 2008 };
  // @ts-expect-error a required member is missing
  await es.POST('/api/coches', { body: { marca: 'Seat' } });
  // @ts-expect-error a text for a number
  await es.POST('/api/coches', { body: { marca: 'Seat', modelo: 'Ibiza', puertas: '5' } });
  // @ts-expect-error a required member cannot be cleared
  await en.PUT('/api/cars/{identifier}', { params: { path: { identifier: 'a' } }, body: { brand: null } });
  // @ts-expect-error a path parameter of the other language
  await es.GET('/api/coches/{identificador}', { params: { path: { identifier: 'a' } } });
  // @ts-expect-error a parameter of the other language
  const pagina: CocheQuery = { marca: ['Seat'], page: 1 };
  // @ts-expect-error a filter of the other language
  const brand: CarQuery = { model: ['Ibiza'], marca: ['Seat'] };
  // @ts-expect-error a range of the other language
  const range: CocheQuery = { modelo: ['Ibiza'], year_from: 2005 };
  // @ts-expect-error a nested collection of the other language
  const nested: CocheQuery = { marca: ['Seat'], incluir: 'oils' };
  // @ts-expect-error a parameter of the other language
  const search: CocheQuery = { modelo: ['Ibiza'], search: 'tdi' };
  // @ts-expect-error a field of the other language
  const group: GrupoQuery = { agrupar_por: 'brand' };
  // @ts-expect-error a value of the other language
  await es.GET('/api/coches', { params: { query: { orden: 'desc' } } });
  // @ts-expect-error a value of the other language
  await en.GET('/api/cars', { params: { query: { sort_by: 'anio' } } });
  const { data } = await es.GET('/api/coches/{identificador}', { params: { path: { identificador: 'a' } } });
  // @ts-expect-error a member of the other language in an answer
  return [data?.brand, coche, car, pagina, brand, range, nested, search, group];
};

/** The same of the clients of other generators. */
export const otherMistakes = async () => {
  // @ts-expect-error a member of the other language
  const heyCar: HeyCar = { brand: 'Seat', model: 'Ibiza', anio: 2008 };
  // @ts-expect-error a number for a key
  const heyCoche: HeyCoche = { identificador: 1, marca: 'Seat', modelo: 'Ibiza' };
  // @ts-expect-error a parameter of the other language
  const heyQuery: CarsListData['query'] = { brand: ['Seat'], pagina: 1 };
  // @ts-expect-error a number for a key
  const orvalCar: OrvalCar = { identifier: 1, brand: 'Seat', model: 'Ibiza' };
  // @ts-expect-error a member of the other language
  const orvalCoche: OrvalCoche = { marca: 'Seat', modelo: 'Ibiza', year: 2008 };
  // @ts-expect-error a value of the other language
  const orvalQuery: CarsListParams = { order: 'descendente' };
  // @ts-expect-error a member of the other language
  await new EnglishApi().api.carsCreate({ brand: 'Seat', model: 'Ibiza', puertas: 5 });
  // @ts-expect-error a number for a key
  await new SpanishApi().api.carsUpdate('a', { identificador: 1 });
  // @ts-expect-error a value of the other language
  await new SpanishApi().api.carsList({ ordenar_por: 'year' });
  return [heyCar, heyCoche, heyQuery, orvalCar, orvalCoche, orvalQuery];
};
