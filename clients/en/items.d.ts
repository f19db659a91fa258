import { type Query } from './lists.ts';
import { type Body, type Options, type Service } from './request.ts';
export interface Tagged<T> {
    readonly item: T;
    /** The state of the item; sent with a change, it keeps the change of another client from being overwritten. */
    readonly tag: string;
}
export interface ChangeOptions extends Options {
    /** Change nothing where the item is not in this state any more. */
    readonly tag?: string | undefined;
}
export interface CreateOptions extends Options {
    /** By default a new one for each call. What is sent again with the same key is done once. */
    readonly idempotencyKey?: string | undefined;
}
export interface ImportOptions extends CreateOptions {
    /** The media type of the file; by default its own, or CSV. */
    readonly type?: string | undefined;
    /** Preferences (`Prefer`), which are the same in every language. */
    readonly prefer?: string | undefined;
}
export declare const readItem: <T>(service: Service, path: string, query: Query, options?: Options) => Promise<Tagged<T>>;
/** @param content of the new item */
export declare const createItem: <T>(service: Service, path: string, content: object, { idempotencyKey, ...options }: CreateOptions) => Promise<Tagged<T>>;
/**
 * Changes the members that are sent. Where the answer to a first try was lost and the next one meets another state, the item is
 * read: if it is as it was to be, the change was made.
 */
export declare const updateItem: <T extends object>(service: Service, path: string, changes: object, { tag, ...options }: ChangeOptions) => Promise<Tagged<T>>;
/** Deletes an item; one that is gone when the request is sent again was deleted by the first try, whose answer was lost. */
export declare const removeItem: (service: Service, path: string, { tag, ...options }: ChangeOptions) => Promise<void>;
/**
 * @param file a stream, which cannot be read again, is sent once; everything else again where the answer was lost
 * @returns the report
 * @throws CatalogueError where rows were rejected; its problem has the report
 */
export declare const importFile: <T>(service: Service, path: string, file: Body, { type, prefer, idempotencyKey, ...options }: ImportOptions) => Promise<T>;
/** @returns the bytes of a file, as they come */
export declare const exportFile: (service: Service, path: string, query: Query, options?: Options) => Promise<ReadableStream<Uint8Array>>;
