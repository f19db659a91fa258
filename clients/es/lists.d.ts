import { type Options, type Service } from './request.ts';
/** Values by the words of their parameters; `undefined` sends nothing. */
export type Query = object;
export interface Page<T> {
    readonly items: readonly T[];
    /** How many match, on all pages; of changes, those of this page. */
    readonly total: number;
    /** Where changes since then begin. */
    readonly position: string;
    /** The path of the next page. */
    readonly next: string | undefined;
}
export interface Changes<T> {
    readonly items: readonly T[];
    readonly position: string;
    /** Whether the position before is of another database, so that everything is told from the beginning: drop what you have. */
    readonly startsAnew: boolean;
}
export declare const withQuery: ({ lists }: Service, path: string, query: Query) => string;
/** @returns the items, or groups, that match: all of them, or those of a page where the query says so */
export declare const readPage: <T>(service: Service, path: string, query: Query, options?: Options) => Promise<Page<T>>;
/** Reads page after page by the cursor, so that nothing that stays is missed or comes twice while others write. */
export declare function iterate<T>(service: Service, path: string, query: Query, options?: Options): AsyncGenerator<T, void, undefined>;
/** Reads what changed since a position, page by page, until there is no more; from the beginning where the position is gone. */
export declare function readChanges<T>(service: Service, path: string, since: string | undefined, query: Query, options?: Options): AsyncGenerator<Changes<T>, void, undefined>;
