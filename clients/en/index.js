// Made by `npm run clients`: do not edit.
import { CatalogueError as Refusal } from './error.js';
import * as items from './items.js';
import * as lists from './lists.js';
/** A request that was refused. Where there was no response, what `fetch` throws is thrown. */
export class CatalogueError extends Refusal {
}
const page = (its) => ({ items: its.items, total: its.total, position: its.position });
const tagged = (its) => ({ item: its.item, tag: its.tag });
async function* changes(pages) {
    for await (const its of pages)
        yield { items: its.items, position: its.position, startsAnew: its.startsAnew };
}
const changeOptions = (its = {}) => ({ signal: its.signal, tag: its.tag });
const createOptions = (its = {}) => ({ signal: its.signal, idempotencyKey: its.idempotencyKey });
const importOptions = (its = {}) => ({ ...createOptions(its), type: its.type, prefer: its.prefer });
const cars = (service) => ({
    list: async (query = {}, options) => page(await lists.readPage(service, "/api/cars", query, options)),
    iterate: (query = {}, options) => lists.iterate(service, "/api/cars", query, options),
    select: async (query, options) => page(await lists.readPage(service, "/api/selections/cars", query, options)),
    group: async (query, options) => page(await lists.readPage(service, "/api/groups/cars", query, options)),
    export: async (query, options) => items.exportFile(service, "/api/exports/cars", query, options),
    follow: (since, query = {}, options) => changes(lists.readChanges(service, "/api/changes/cars", since, query, options)),
    import: async (file, options) => items.importFile(service, "/api/imports/cars", file, importOptions(options)),
    read: async (key, query = {}, options) => tagged(await items.readItem(service, "/api/cars/" + encodeURIComponent(key), query, options)),
    create: async (content, options) => tagged(await items.createItem(service, "/api/cars", content, createOptions(options))),
    update: async (key, changes, options) => tagged(await items.updateItem(service, "/api/cars/" + encodeURIComponent(key), changes, changeOptions(options))),
    delete: async (key, options) => items.removeItem(service, "/api/cars/" + encodeURIComponent(key), changeOptions(options)),
    oils: (key) => oils(service, key),
});
const oils = (service, cars) => ({
    list: async (query = {}, options) => page(await lists.readPage(service, "/api/cars/" + encodeURIComponent(cars) + "/oils", query, options)),
    iterate: (query = {}, options) => lists.iterate(service, "/api/cars/" + encodeURIComponent(cars) + "/oils", query, options),
    select: async (query, options) => page(await lists.readPage(service, "/api/selections/cars/" + encodeURIComponent(cars) + "/oils", query, options)),
    group: async (query, options) => page(await lists.readPage(service, "/api/groups/cars/" + encodeURIComponent(cars) + "/oils", query, options)),
    export: async (query, options) => items.exportFile(service, "/api/exports/cars/" + encodeURIComponent(cars) + "/oils", query, options),
    follow: (since, query = {}, options) => changes(lists.readChanges(service, "/api/changes/cars/" + encodeURIComponent(cars) + "/oils", since, query, options)),
    import: async (file, options) => items.importFile(service, "/api/imports/cars/" + encodeURIComponent(cars) + "/oils", file, importOptions(options)),
    read: async (key, query = {}, options) => tagged(await items.readItem(service, "/api/cars/" + encodeURIComponent(cars) + "/oils/" + encodeURIComponent(key), query, options)),
    create: async (content, options) => tagged(await items.createItem(service, "/api/cars/" + encodeURIComponent(cars) + "/oils", content, createOptions(options))),
    update: async (key, changes, options) => tagged(await items.updateItem(service, "/api/cars/" + encodeURIComponent(cars) + "/oils/" + encodeURIComponent(key), changes, changeOptions(options))),
    delete: async (key, options) => items.removeItem(service, "/api/cars/" + encodeURIComponent(cars) + "/oils/" + encodeURIComponent(key), changeOptions(options)),
});
/** A client of the catalogue at an origin, such as `http://localhost:3000`. */
export const connect = (origin, settings = {}) => {
    const service = {
        origin: origin,
        key: settings.key,
        retries: settings.retries,
        timeout: settings.timeout,
        fetch: settings.fetch,
        Refusal: CatalogueError,
        words: { pageSize: "number_of_elements", changedSince: "changed_since" },
        lists: ["sort_by", "order", "fields", "include"],
        takesKeys: true,
    };
    return { cars: cars(service) };
};
