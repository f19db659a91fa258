import type * as client from '../../../clients/es/index.js';

/** What a Spanish-language program does, typed in its words throughout; it runs in a browser, too, and so uses nothing else of this file. */
export const converse = async ({ conectar, ErrorDelCatalogo }: typeof client, origin: string) => {
  const { coches } = conectar(origin);
  const codeOf = (error: unknown) =>
    error instanceof ErrorDelCatalogo ? [error.code, error.problem.errors?.map(({ name }) => name)] : error;
  const { elemento: creado, etiqueta } = await coches.crear({
    identificador: 'ibiza/1',
    marca: 'Seat',
    modelo: 'Ibiza',
    anio: 2008,
    climatizador: true,
  });
  const modificado = await coches.modificar('ibiza/1', { puertas: 5, anio: null }, { etiqueta });
  const viejo = await coches.modificar('ibiza/1', { puertas: 3 }, { etiqueta }).catch(codeOf);
  const mal = await coches.modificar('ibiza/1', { puertas: 21 }, { etiqueta: modificado.etiqueta }).catch(codeOf);
  const informe = await coches.importar('marca;modelo;anio\nSeat;León;2010\nCitroën;C4;2006\n');
  const archivo = new Blob(['{"marca":"Audi","modelo":"A4"}\n'], { type: 'application/x-ndjson' });
  const comprobado = await coches.importar(archivo, { preferencias: 'handling=check' });
  const rechazado = await coches
    .importar('marca;modelo;anio\nSeat;Ibiza;MM\n')
    .catch((error) => (error instanceof ErrorDelCatalogo ? error.problem.report?.errores?.[0]?.columna : error));
  const aceites = coches.aceites('ibiza/1');
  await aceites.crear({ tipo: '5W-30', otros_datos: 'ñ' });
  const pagina = await coches.listar({
    marca: ['seat', 'citroen'],
    anio_desde: 2006,
    ordenar_por: ['anio', 'modelo'],
    orden: ['descendente', 'ascendente'],
    numero_de_elementos: 1,
    modelo: undefined,
  });
  const { posicion } = await coches.listar({ marca: 'seat' });
  const todos: string[] = [];
  for await (const { modelo } of coches.recorrer({ buscar: 's', numero_de_elementos: 1 })) todos.push(modelo);
  const { elementos: grupos } = await coches.agrupar({ agrupar_por: 'marca' });
  const elegidos = await coches.seleccionar({ campos: ['modelo', 'anio'], modelo: 'c4' });
  const csv = await new Response(await coches.exportar({ formato: 'csv', campos: 'modelo', anio: 2010 })).text();
  const { elemento: entero } = await coches.leer('ibiza/1', { incluir: 'aceites' });
  await coches.eliminar('ibiza/1', { etiqueta: modificado.etiqueta }).catch(codeOf);
  const seguidos: unknown[] = [];
  for await (const { elementos, desdeElPrincipio } of coches.seguir(posicion, { marca: 'seat' }))
    seguidos.push(desdeElPrincipio, elementos);
  const perdidos: unknown[] = [];
  for await (const { elementos, desdeElPrincipio } of coches.seguir('zzzzzzzzzz'))
    perdidos.push(desdeElPrincipio, elementos.length);
  return {
    creado,
    modificado: modificado.elemento,
    viejo,
    mal,
    cuentas: [informe.creados, comprobado.simulacro, comprobado.creados],
    rechazado,
    pagina: [pagina.total, pagina.elementos.map(({ modelo, anio }) => [modelo, anio])],
    todos,
    grupos: grupos.map(({ marca, total }) => [marca, total]),
    elegidos: elegidos.elementos.map(({ modelo, anio }) => [modelo, anio]),
    csv: csv.split('\r\n')[0],
    aceites: entero.aceites,
    seguidos,
    perdidos,
    ausente: await coches.leer('ibiza/1').catch(codeOf),
  };
};
