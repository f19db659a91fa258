// Made by `npm run clients`: do not edit.
import { CatalogueError as Refusal } from './error.js';
import * as items from './items.js';
import * as lists from './lists.js';
/** Una petición rechazada. Si no hubo respuesta, se lanza lo que lanza `fetch`. */
export class ErrorDelCatalogo extends Refusal {
}
const page = (its) => ({ elementos: its.items, total: its.total, posicion: its.position });
const tagged = (its) => ({ elemento: its.item, etiqueta: its.tag });
async function* changes(pages) {
    for await (const its of pages)
        yield { elementos: its.items, posicion: its.position, desdeElPrincipio: its.startsAnew };
}
const changeOptions = (its = {}) => ({ signal: its.signal, tag: its.etiqueta });
const createOptions = (its = {}) => ({ signal: its.signal, idempotencyKey: its.claveDeIdempotencia });
const importOptions = (its = {}) => ({ ...createOptions(its), type: its.tipo, prefer: its.preferencias });
const cars = (service) => ({
    listar: async (consulta = {}, opciones) => page(await lists.readPage(service, "/api/coches", consulta, opciones)),
    recorrer: (consulta = {}, opciones) => lists.iterate(service, "/api/coches", consulta, opciones),
    seleccionar: async (consulta, opciones) => page(await lists.readPage(service, "/api/selecciones/coches", consulta, opciones)),
    agrupar: async (consulta, opciones) => page(await lists.readPage(service, "/api/grupos/coches", consulta, opciones)),
    exportar: async (consulta, opciones) => items.exportFile(service, "/api/exportaciones/coches", consulta, opciones),
    seguir: (desde, consulta = {}, opciones) => changes(lists.readChanges(service, "/api/cambios/coches", desde, consulta, opciones)),
    importar: async (archivo, opciones) => items.importFile(service, "/api/importaciones/coches", archivo, importOptions(opciones)),
    leer: async (clave, consulta = {}, opciones) => tagged(await items.readItem(service, "/api/coches/" + encodeURIComponent(clave), consulta, opciones)),
    crear: async (datos, opciones) => tagged(await items.createItem(service, "/api/coches", datos, createOptions(opciones))),
    modificar: async (clave, cambios, opciones) => tagged(await items.updateItem(service, "/api/coches/" + encodeURIComponent(clave), cambios, changeOptions(opciones))),
    eliminar: async (clave, opciones) => items.removeItem(service, "/api/coches/" + encodeURIComponent(clave), changeOptions(opciones)),
    aceites: (clave) => oils(service, clave),
});
const oils = (service, cars) => ({
    listar: async (consulta = {}, opciones) => page(await lists.readPage(service, "/api/coches/" + encodeURIComponent(cars) + "/aceites", consulta, opciones)),
    recorrer: (consulta = {}, opciones) => lists.iterate(service, "/api/coches/" + encodeURIComponent(cars) + "/aceites", consulta, opciones),
    seleccionar: async (consulta, opciones) => page(await lists.readPage(service, "/api/selecciones/coches/" + encodeURIComponent(cars) + "/aceites", consulta, opciones)),
    agrupar: async (consulta, opciones) => page(await lists.readPage(service, "/api/grupos/coches/" + encodeURIComponent(cars) + "/aceites", consulta, opciones)),
    exportar: async (consulta, opciones) => items.exportFile(service, "/api/exportaciones/coches/" + encodeURIComponent(cars) + "/aceites", consulta, opciones),
    seguir: (desde, consulta = {}, opciones) => changes(lists.readChanges(service, "/api/cambios/coches/" + encodeURIComponent(cars) + "/aceites", desde, consulta, opciones)),
    importar: async (archivo, opciones) => items.importFile(service, "/api/importaciones/coches/" + encodeURIComponent(cars) + "/aceites", archivo, importOptions(opciones)),
    leer: async (clave, consulta = {}, opciones) => tagged(await items.readItem(service, "/api/coches/" + encodeURIComponent(cars) + "/aceites/" + encodeURIComponent(clave), consulta, opciones)),
    crear: async (datos, opciones) => tagged(await items.createItem(service, "/api/coches/" + encodeURIComponent(cars) + "/aceites", datos, createOptions(opciones))),
    modificar: async (clave, cambios, opciones) => tagged(await items.updateItem(service, "/api/coches/" + encodeURIComponent(cars) + "/aceites/" + encodeURIComponent(clave), cambios, changeOptions(opciones))),
    eliminar: async (clave, opciones) => items.removeItem(service, "/api/coches/" + encodeURIComponent(cars) + "/aceites/" + encodeURIComponent(clave), changeOptions(opciones)),
});
/** Un cliente del catálogo que hay en un origen, por ejemplo `http://localhost:3000`. */
export const conectar = (origen, ajustes = {}) => {
    const service = {
        origin: origen,
        key: ajustes.clave,
        retries: ajustes.reintentos,
        timeout: ajustes.tiempoMaximo,
        fetch: ajustes.fetch,
        Refusal: ErrorDelCatalogo,
        words: { pageSize: "numero_de_elementos", changedSince: "cambiado_desde" },
        lists: ["ordenar_por", "orden", "campos", "incluir"],
        takesKeys: true,
    };
    return { coches: cars(service) };
};
