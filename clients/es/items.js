/** Reads and writes single items, and files of them. */
import { isRefusal } from './error.js';
import { withQuery } from './lists.js';
import { send } from './request.js';
const itemIn = async (response) => ({
    item: (await response.json()),
    tag: response.headers.get('ETag') ?? '',
});
/** `crypto.randomUUID` is missing on pages that came by plain HTTP. */
const randomKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** Without a key what is sent twice is done twice. */
const onceFor = ({ takesKeys }, key) => takesKeys || key !== undefined ? { 'Idempotency-Key': key ?? randomKey() } : {};
const onlyIf = (tag) => (tag === undefined ? {} : { 'If-Match': tag });
export const readItem = (service, path, query, options = {}) => send(service, { method: 'GET', path: withQuery(service, path, query), ...options }, itemIn);
/** @param content of the new item */
export const createItem = (service, path, content, { idempotencyKey, ...options }) => {
    const headers = { 'Content-Type': 'application/json', ...onceFor(service, idempotencyKey) };
    const request = { method: 'POST', path, headers, body: JSON.stringify(content), isOnce: !service.takesKeys };
    return send(service, { ...request, ...options }, itemIn);
};
/** Whether an item has all that a change was to give it; what was cleared is not there. */
const isChanged = (item, changes) => {
    const now = new Map(Object.entries(item));
    return Object.entries(changes).every(([member, value]) => value === undefined || (now.get(member) ?? null) === value);
};
/**
 * Changes the members that are sent. Where the answer to a first try was lost and the next one meets another state, the item is
 * read: if it is as it was to be, the change was made.
 */
export const updateItem = async (service, path, changes, { tag, ...options }) => {
    const headers = { 'Content-Type': 'application/merge-patch+json', ...onlyIf(tag) };
    const request = { method: 'PATCH', path, headers, body: JSON.stringify(changes), ...options };
    try {
        return await send(service, request, itemIn);
    }
    catch (error) {
        if (!isRefusal(error, 'precondition-failed') || error.tries === 1)
            throw error;
        const now = await readItem(service, path, {}, options);
        if (isChanged(now.item, changes))
            return now;
        throw error;
    }
};
/** Deletes an item; one that is gone when the request is sent again was deleted by the first try, whose answer was lost. */
export const removeItem = async (service, path, { tag, ...options }) => {
    try {
        await send(service, { method: 'DELETE', path, headers: onlyIf(tag), ...options }, async () => undefined);
    }
    catch (error) {
        if (!isRefusal(error, 'not-found') || error.tries === 1)
            throw error;
    }
};
/**
 * @param file a stream, which cannot be read again, is sent once; everything else again where the answer was lost
 * @returns the report
 * @throws CatalogueError where rows were rejected; its problem has the report
 */
export const importFile = (service, path, file, { type, prefer, idempotencyKey, ...options }) => {
    const ownType = file instanceof Blob ? file.type : '';
    const headers = {
        'Content-Type': type ?? (ownType || 'text/csv'),
        ...onceFor(service, idempotencyKey),
        ...(prefer === undefined ? {} : { Prefer: prefer }),
    };
    const read = async (response) => (await response.json());
    const isOnce = !service.takesKeys || file instanceof ReadableStream;
    return send(service, { method: 'POST', path, headers, body: file, isFile: true, isOnce, ...options }, read);
};
/** @returns the bytes of a file, as they come */
export const exportFile = (service, path, query, options = {}) => send(service, { method: 'GET', path: withQuery(service, path, query), isFile: true, ...options }, async ({ body }) => body ?? new ReadableStream({ start: (empty) => empty.close() }));
