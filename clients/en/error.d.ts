/** What the service says of a request that it refuses (RFC 9457); its members have the same names in every language. */
export interface AnyProblem {
    readonly type: string;
    readonly title: string;
    readonly code: string;
    readonly status: number;
    readonly detail: string;
    readonly requestId: string;
}
/** A request that was refused. Where there was no response at all, what `fetch` throws is thrown. */
export declare class CatalogueError extends Error {
    readonly code: string;
    readonly status: number;
    readonly problem: AnyProblem;
    /** How often the request was sent. */
    readonly tries: number;
    constructor(problem: AnyProblem, tries: number);
}
export declare const isRefusal: (error: unknown, code: string) => error is CatalogueError;
/** @returns the problem that a response tells of; of a response that is not the service's (a proxy's), one with a code such as `http-502` */
export declare const problemOf: (response: Response) => Promise<AnyProblem>;
