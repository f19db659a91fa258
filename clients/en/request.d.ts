/** Sends a request, several times if need be. */
import { type AnyProblem, type CatalogueError } from './error.ts';
export interface Service {
    /** Scheme, host and port. */
    readonly origin: string;
    /** An API key or a token. */
    readonly key?: string | undefined;
    /** How often a request is sent again at most. */
    readonly retries?: number | undefined;
    /** Milliseconds for each try, but for files; 0 is no limit. */
    readonly timeout?: number | undefined;
    readonly fetch?: typeof fetch | undefined;
    /** The error of this language. */
    readonly Refusal: new (problem: AnyProblem, tries: number) => CatalogueError;
    /** The words of parameters that the client sends by itself. */
    readonly words: {
        readonly pageSize: string;
        readonly changedSince: string;
    };
    /** Parameters with several values in one, with commas between them. */
    readonly lists: readonly string[];
    /** Whether the service keeps results by idempotency keys. */
    readonly takesKeys: boolean;
}
export interface Options {
    readonly signal?: AbortSignal | undefined;
}
/** What can be sent; a stream can be sent once only. */
export type Body = Blob | string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
interface Request extends Options {
    readonly method: string;
    /** With its query. */
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Body;
    /** Whether it, or its response, is a file. */
    readonly isFile?: boolean;
    /** Whether it must not be sent again. */
    readonly isOnce?: boolean;
}
/**
 * Sends a request, and again where there was no answer or one that may be another the next time.
 *
 * @param read makes something of the response
 * @throws CatalogueError where it is refused
 */
export declare const send: <T>(service: Service, request: Request, read: (response: Response) => Promise<T>) => Promise<T>;
export {};
