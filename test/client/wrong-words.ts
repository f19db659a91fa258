import createClient from 'openapi-fetch';
import type { paths as English, components as EnglishParts } from './generated/en.ts';
import type { paths as Spanish, components as SpanishParts } from './generated/es.ts';

type Car = EnglishParts['schemas']['NewCar'];
type Coche = SpanishParts['schemas']['CocheNuevo'];
type CarQuery = English['/api/cars']['get']['parameters']['query'];
type CocheQuery = Spanish['/api/coches']['get']['parameters']['query'];

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
  // @ts-expect-error a value of the other language
  await es.GET('/api/coches', { params: { query: { orden: 'desc' } } });
  // @ts-expect-error a value of the other language
  await en.GET('/api/cars', { params: { query: { sort_by: 'anio' } } });
  const { data } = await es.GET('/api/coches/{identificador}', { params: { path: { identificador: 'a' } } });
  // @ts-expect-error a member of the other language in an answer
  return [data?.brand, coche, car, pagina, brand];
};
