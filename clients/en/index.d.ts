import { CatalogueError as Refusal } from './error.ts';
import type * as request from './request.ts';
/** What all languages call a field, a parameter or a header. */
export type Name = "identifier" | "brand" | "model" | "year" | "doors" | "enginePower" | "version" | "clima" | "ac" | "fuel" | "type" | "otherInfo" | "year_from" | "year_to" | "doors_from" | "doors_to" | "enginePower_from" | "enginePower_to" | "sort_by" | "order" | "number_of_elements" | "page" | "after" | "changed_since" | "format" | "fields" | "include" | "search" | "group_by" | (string & {});
export type CarsField = "identifier" | "brand" | "model" | "year" | "doors" | "enginePower" | "version" | "clima" | "ac" | "fuel";
export type OilsField = "type" | "otherInfo";
export type ProblemCode = "bad-request" | "malformed-json" | "malformed-file" | "malformed-path" | "unknown-parameter" | "invalid-parameter" | "invalid-query" | "invalid-header" | "unknown-field" | "missing-field" | "invalid-value" | "invalid-body" | "unauthorized" | "forbidden" | "not-found" | "no-such-path" | "method-not-allowed" | "not-acceptable" | "request-timeout" | "already-exists" | "in-use" | "key-mismatch" | "gone" | "precondition-failed" | "body-too-large" | "uri-too-long" | "unsupported-media-type" | "expectation-failed" | "idempotency-mismatch" | "rejected-rows" | "rate-limited" | "headers-too-large" | "internal" | "not-implemented" | "not-supported" | "unavailable" | "outcome-unknown" | "version-not-supported" | (string & {});
export interface Problem {
    /** Path that explains the code. */
    readonly type: string;
    /** Summary, always the same for this code. */
    readonly title: string;
    /** Status of the response. */
    readonly status: number;
    readonly code: ProblemCode;
    /** What is wrong with this request. */
    readonly detail: string;
    /** What to use instead. */
    readonly suggestion?: string;
    /** What can be done about it. */
    readonly remedy?: string;
    /** Identifier of the request, as recorded in the log. */
    readonly requestId: string;
    /** The errors in the request (at most the first 100). */
    readonly errors?: readonly ProblemError[];
    /** The report of the import that was refused, whose errors name the rows. */
    readonly report?: ImportReport;
}
export interface ProblemError {
    /** Location in the body (JSON Pointer, RFC 6901). */
    readonly pointer?: string;
    /** The parameter of the query. */
    readonly parameter?: string;
    /** The header of the request. */
    readonly header?: string;
    readonly code: ProblemCode;
    /** The value that was sent (at most its first 200 characters); of a body, as JSON. */
    readonly value?: string;
    /** What is wrong there. */
    readonly detail: string;
    /** What to use instead. */
    readonly suggestion?: string;
    /** What can be done about it. */
    readonly remedy?: string;
    /** For programs: the name of the field, parameter or header, which never depends on the language. */
    readonly name?: Name;
}
export interface ImportReport {
    /** `true` where nothing was stored because only a check was preferred. */
    readonly dryRun?: true;
    /** Items that were created. */
    readonly created: number;
    /** Items that were changed. */
    readonly updated: number;
    /** Items that are as the file has them. */
    readonly unchanged: number;
    /** Rows that were skipped because their key exists, or because another row of the file has it. */
    readonly skipped: number;
    /** Items that were deleted because the file lacks them. */
    readonly deleted: number;
    /** Rows that have errors. */
    readonly rejected: number;
    /** Values that empty cells have cleared. */
    readonly cleared: number;
    /** Rows that do not count because another row has their key (at most the first 100). */
    readonly repeated?: readonly ImportRepetition[];
    /** Probable mistakes, such as keys that have become dates. */
    readonly warnings?: readonly ImportWarning[];
    /** Consequence of the errors, if there are any. */
    readonly detail?: string;
    /** What is wrong, and how often. */
    readonly reasons?: readonly ImportReason[];
    /** Errors of the rows (at most 100). */
    readonly errors?: readonly ImportError[];
    /** What was done with items, or would be: only with `Prefer: return=representation`. */
    readonly changes?: readonly ImportChange[];
}
export interface ImportRepetition {
    /** Number of the row. */
    readonly row: number;
    /** Key of the item. */
    readonly key: string;
    /** Number of the row that counts instead. */
    readonly usedRow: number;
}
export interface ImportWarning {
    /** Name of the column. */
    readonly column?: string;
    /** Consequence of the errors, if there are any. */
    readonly detail?: string;
    /** Their rows (at most the first 100). */
    readonly rows: readonly ImportWarningCell[];
}
export interface ImportWarningCell {
    /** Number of the row. */
    readonly row: number;
    /** The value in the file. */
    readonly value: string;
}
export interface ImportReason {
    /** How often. */
    readonly count: number;
    /** Name of the column. */
    readonly column?: string;
    /** Error code. */
    readonly code: ProblemCode;
    /** Consequence of the errors, if there are any. */
    readonly detail?: string;
    /** Number of the row. */
    readonly row: number;
    /** The value in the file. */
    readonly value?: string;
}
export interface ImportError {
    /** Number of the row. */
    readonly row: number;
    /** Name of the column. */
    readonly column?: string;
    /** The value in the file. */
    readonly value?: string;
    /** Error code. */
    readonly code: ProblemCode;
    /** What to use instead. */
    readonly suggestion?: string;
    /** Consequence of the errors, if there are any. */
    readonly detail?: string;
}
export interface ImportChange {
    /** Number of the row. */
    readonly row?: number;
    /** Key of the item. */
    readonly key: string;
    /** What became of the item. */
    readonly action: "created" | "updated" | "deleted";
    /** The item before; of an update, what differs. */
    readonly before?: unknown;
    /** The item after; of an update, what differs. */
    readonly after?: unknown;
}
export interface Car {
    /** Key of the car: sent when it is created, or assigned by the service; cannot be changed. */
    readonly identifier: string;
    /** Brand of the car. */
    readonly brand: string;
    /** Model of the brand. */
    readonly model: string;
    /** Model year. */
    readonly year?: number;
    /** Number of doors. */
    readonly doors?: number;
    /** Power of the engine in CV (metric horsepower; 1 CV is 0.7355 kW). */
    readonly enginePower?: number;
    /** Version of the model: engine, trim, gearbox. */
    readonly version?: string;
    /** Whether it has automatic climate control. */
    readonly clima?: boolean;
    /** Whether it has air conditioning. */
    readonly ac?: boolean;
    /** Fuel, in any language: free text, never translated. */
    readonly fuel?: string;
    /** Only where `include` asks for it. */
    readonly oils?: readonly Oil[];
}
export interface Oil {
    /** Key of the oil within its car, such as its viscosity grade; cannot be changed. */
    readonly type: string;
    /** Any other information: free text, never translated. */
    readonly otherInfo?: string;
}
export interface CarSelection {
    /** Key of the car: sent when it is created, or assigned by the service; cannot be changed. */
    readonly identifier: string;
    /** Brand of the car. */
    readonly brand?: string;
    /** Model of the brand. */
    readonly model?: string;
    /** Model year. */
    readonly year?: number;
    /** Number of doors. */
    readonly doors?: number;
    /** Power of the engine in CV (metric horsepower; 1 CV is 0.7355 kW). */
    readonly enginePower?: number;
    /** Version of the model: engine, trim, gearbox. */
    readonly version?: string;
    /** Whether it has automatic climate control. */
    readonly clima?: boolean;
    /** Whether it has air conditioning. */
    readonly ac?: boolean;
    /** Fuel, in any language: free text, never translated. */
    readonly fuel?: string;
    /** Only where `include` asks for it. */
    readonly oils?: readonly Oil[];
}
export interface CarGroup {
    /** Key of the car: sent when it is created, or assigned by the service; cannot be changed. */
    readonly identifier?: string;
    /** Brand of the car. */
    readonly brand?: string;
    /** Model of the brand. */
    readonly model?: string;
    /** Model year. */
    readonly year?: number;
    /** Number of doors. */
    readonly doors?: number;
    /** Power of the engine in CV (metric horsepower; 1 CV is 0.7355 kW). */
    readonly enginePower?: number;
    /** Version of the model: engine, trim, gearbox. */
    readonly version?: string;
    /** Whether it has automatic climate control. */
    readonly clima?: boolean;
    /** Whether it has air conditioning. */
    readonly ac?: boolean;
    /** Fuel, in any language: free text, never translated. */
    readonly fuel?: string;
    /** How many items the group has. */
    readonly total: number;
}
export interface ChangedCar {
    /** Key of the car: sent when it is created, or assigned by the service; cannot be changed. */
    readonly identifier: string;
    /** Brand of the car. */
    readonly brand?: string;
    /** Model of the brand. */
    readonly model?: string;
    /** Model year. */
    readonly year?: number;
    /** Number of doors. */
    readonly doors?: number;
    /** Power of the engine in CV (metric horsepower; 1 CV is 0.7355 kW). */
    readonly enginePower?: number;
    /** Version of the model: engine, trim, gearbox. */
    readonly version?: string;
    /** Whether it has automatic climate control. */
    readonly clima?: boolean;
    /** Whether it has air conditioning. */
    readonly ac?: boolean;
    /** Fuel, in any language: free text, never translated. */
    readonly fuel?: string;
    /** Only where `include` asks for it. */
    readonly oils?: readonly Oil[];
    /** `true` where the item was deleted or no longer matches; only the key is then there, too. */
    readonly deleted?: true;
}
export interface NewCar {
    /** Key of the car: sent when it is created, or assigned by the service; cannot be changed. */
    readonly identifier?: string | null | undefined;
    /** Brand of the car. */
    readonly brand: string;
    /** Model of the brand. */
    readonly model: string;
    /** Model year. */
    readonly year?: number | null | undefined;
    /** Number of doors. */
    readonly doors?: number | null | undefined;
    /** Power of the engine in CV (metric horsepower; 1 CV is 0.7355 kW). */
    readonly enginePower?: number | null | undefined;
    /** Version of the model: engine, trim, gearbox. */
    readonly version?: string | null | undefined;
    /** Whether it has automatic climate control. */
    readonly clima?: boolean | null | undefined;
    /** Whether it has air conditioning. */
    readonly ac?: boolean | null | undefined;
    /** Fuel, in any language: free text, never translated. */
    readonly fuel?: string | null | undefined;
}
export interface CarChanges {
    /** Key of the car: sent when it is created, or assigned by the service; cannot be changed. */
    readonly identifier?: string | undefined;
    /** Brand of the car. */
    readonly brand?: string | undefined;
    /** Model of the brand. */
    readonly model?: string | undefined;
    /** Model year. */
    readonly year?: number | null | undefined;
    /** Number of doors. */
    readonly doors?: number | null | undefined;
    /** Power of the engine in CV (metric horsepower; 1 CV is 0.7355 kW). */
    readonly enginePower?: number | null | undefined;
    /** Version of the model: engine, trim, gearbox. */
    readonly version?: string | null | undefined;
    /** Whether it has automatic climate control. */
    readonly clima?: boolean | null | undefined;
    /** Whether it has air conditioning. */
    readonly ac?: boolean | null | undefined;
    /** Fuel, in any language: free text, never translated. */
    readonly fuel?: string | null | undefined;
}
export interface OilSelection {
    /** Key of the oil within its car, such as its viscosity grade; cannot be changed. */
    readonly type: string;
    /** Any other information: free text, never translated. */
    readonly otherInfo?: string;
}
export interface OilGroup {
    /** Key of the oil within its car, such as its viscosity grade; cannot be changed. */
    readonly type?: string;
    /** Any other information: free text, never translated. */
    readonly otherInfo?: string;
    /** How many items the group has. */
    readonly total: number;
}
export interface ChangedOil {
    /** Key of the oil within its car, such as its viscosity grade; cannot be changed. */
    readonly type: string;
    /** Any other information: free text, never translated. */
    readonly otherInfo?: string;
    /** `true` where the item was deleted or no longer matches; only the key is then there, too. */
    readonly deleted?: true;
}
export interface NewOil {
    /** Key of the oil within its car, such as its viscosity grade; cannot be changed. */
    readonly type: string;
    /** Any other information: free text, never translated. */
    readonly otherInfo?: string | null | undefined;
}
export interface OilChanges {
    /** Key of the oil within its car, such as its viscosity grade; cannot be changed. */
    readonly type?: string | undefined;
    /** Any other information: free text, never translated. */
    readonly otherInfo?: string | null | undefined;
}
/** A request that was refused. Where there was no response, what `fetch` throws is thrown. */
export declare class CatalogueError extends Refusal {
    readonly code: ProblemCode;
    readonly problem: Problem;
}
export interface Settings {
    /** An API key or a token. */
    readonly key?: string | undefined;
    /** How often a request is sent again at most; by default 2. */
    readonly retries?: number | undefined;
    /** Milliseconds for each try, but for files; by default 60,000. 0 is no limit. */
    readonly timeout?: number | undefined;
    /** What sends; by default `fetch`. */
    readonly fetch?: typeof globalThis.fetch | undefined;
}
export interface Options {
    readonly signal?: AbortSignal | undefined;
}
export interface ChangeOptions extends Options {
    /** Change nothing where the item is not in this state any more. */
    readonly tag?: string | undefined;
}
export interface CreateOptions extends Options {
    /** By default a new one for each call: what is sent again with the same key is done once. */
    readonly idempotencyKey?: string | undefined;
}
export interface ImportOptions extends CreateOptions {
    /** The media type; by default that of the file, or CSV. */
    readonly type?: string | undefined;
    /** `Prefer`, for example `resolution=merge-duplicates`; the same in every language. */
    readonly prefer?: string | undefined;
}
export interface Page<T> {
    readonly items: readonly T[];
    /** How many match, on all pages. */
    readonly total: number;
    /** Where the changes after this begin. */
    readonly position: string;
}
export interface Changes<T> {
    readonly items: readonly T[];
    /** Where the changes after this begin. */
    readonly position: string;
    /** Whether the position before is gone and all is told from the beginning: drop what you have. */
    readonly startsAnew: boolean;
}
export interface Tagged<T> {
    readonly item: T;
    /** The state of the item. */
    readonly tag: string;
}
export interface CarsFilters {
    /** Only items whose `identifier` has this value, ignoring case and accents. Repeat it to match any of several values; an empty value does not filter. */
    readonly identifier?: string | readonly string[] | undefined;
    /** Only items whose `brand` has this value, ignoring case and accents. Repeat it to match any of several values; an empty value does not filter. */
    readonly brand?: string | readonly string[] | undefined;
    /** Only items whose `model` has this value, ignoring case and accents. Repeat it to match any of several values; an empty value does not filter. */
    readonly model?: string | readonly string[] | undefined;
    /** Only items whose `year` has this value. Repeat it to match any of several values; an empty value does not filter. */
    readonly year?: number | readonly number[] | undefined;
    /** Only items whose `doors` has this value. Repeat it to match any of several values; an empty value does not filter. */
    readonly doors?: number | readonly number[] | undefined;
    /** Only items whose `enginePower` has this value. Repeat it to match any of several values; an empty value does not filter. */
    readonly enginePower?: number | readonly number[] | undefined;
    /** Only items whose `version` has this value, ignoring case and accents. Repeat it to match any of several values; an empty value does not filter. */
    readonly version?: string | readonly string[] | undefined;
    /** Only items whose `clima` has this value. Repeat it to match any of several values; an empty value does not filter. */
    readonly clima?: boolean | readonly boolean[] | undefined;
    /** Only items whose `ac` has this value. Repeat it to match any of several values; an empty value does not filter. */
    readonly ac?: boolean | readonly boolean[] | undefined;
    /** Only items whose `fuel` has this value, ignoring case and accents. Repeat it to match any of several values; an empty value does not filter. */
    readonly fuel?: string | readonly string[] | undefined;
    /** Elements per page. Without `page`, the first page, whose `Link: rel="next"` goes by position: nothing that stays is missed and nothing comes twice while others write. */
    readonly number_of_elements?: number | undefined;
    /** Only items in which each of these words begins a word of a searchable text (Cars: `brand`, `model`, `version`, `fuel`; Oils: `type`, `otherInfo`), ignoring case and accents. Unless `sort_by` or `order` is sent, the best matches come first: whole words before beginnings, and fields that every item has before others. */
    readonly search?: string | undefined;
    /** Only items whose `year` is at least this value. Items without a value do not match. */
    readonly year_from?: number | undefined;
    /** Only items whose `year` is at most this value. Items without a value do not match. */
    readonly year_to?: number | undefined;
    /** Only items whose `doors` is at least this value. Items without a value do not match. */
    readonly doors_from?: number | undefined;
    /** Only items whose `doors` is at most this value. Items without a value do not match. */
    readonly doors_to?: number | undefined;
    /** Only items whose `enginePower` is at least this value. Items without a value do not match. */
    readonly enginePower_from?: number | undefined;
    /** Only items whose `enginePower` is at most this value. Items without a value do not match. */
    readonly enginePower_to?: number | undefined;
}
export interface CarsQuery extends CarsFilters {
    /** Fields to sort by, separated by commas; the first decides. Case and accents are ignored; items without a value come last. Default: order of creation. */
    readonly sort_by?: CarsField | readonly CarsField[] | undefined;
    /** `asc` (the default) or `desc`; one for each field of `sort_by`, separated by commas. */
    readonly order?: "asc" | "desc" | readonly ("asc" | "desc")[] | undefined;
    /** Page number, from 1. Without `number_of_elements`, a page has 20 elements. After the last page, the list is empty. */
    readonly page?: number | undefined;
    /** Where the page before ended, as its `Link: rel="next"` gives it; filters and order must be the same. An item whose value in the order changes meanwhile may come again or be missed. */
    readonly after?: string | undefined;
    /** What to include in each item: a collection, as an array in order of creation, or a field that refers to another item, which then contains that item instead of its key. */
    readonly include?: "oils" | readonly "oils"[] | undefined;
}
/** The cars of the catalogue. */
export interface CarsCollection {
    /** List the cars */
    readonly list: (query?: CarsQuery, options?: Options) => Promise<Page<Car>>;
    /** Reads them all, page by page: nothing that stays is missed or comes twice. */
    readonly iterate: (query?: Omit<CarsQuery, "page" | "after">, options?: Options) => AsyncGenerator<Car, void, undefined>;
    /** List some fields of the cars */
    readonly select: (query: CarsQuery & {
        /** Only these fields of each item, separated by commas; the key is always included. The other fields are then missing from the response, required ones too. */
        readonly fields: CarsField | readonly CarsField[];
    }, options?: Options) => Promise<Page<CarSelection>>;
    /** Count the cars by a field */
    readonly group: (query: CarsFilters & {
        /** Returns one group for each value of this field, with the value and `total`, the number of items that have it: largest first, and last, without the field, the items that have no value. Case and accents do not separate groups. Cannot be combined with `sort_by` or `order`. */
        readonly group_by: CarsField;
        /** Page number, from 1. Without `number_of_elements`, a page has 20 elements. After the last page, the list is empty. */
        readonly page?: number | undefined;
    }, options?: Options) => Promise<Page<CarGroup>>;
    /** Export the cars to a file */
    readonly export: (query: CarsQuery & {
        /** File format of the response, the same choice as `Accept` (which it overrides), for links that people click. */
        readonly format: "ndjson" | "csv" | "xlsx";
        /** Only these fields of each item, separated by commas; the key is always included. The other fields are then missing from the response, required ones too. */
        readonly fields?: CarsField | readonly CarsField[] | undefined;
    }, options?: Options) => Promise<ReadableStream<Uint8Array>>;
    /** List what has changed of the cars since a position */
    readonly follow: (since?: string, query?: CarsFilters & {
        /** What to include in each item: a collection, as an array in order of creation, or a field that refers to another item, which then contains that item instead of its key. */
        readonly include?: "oils" | readonly "oils"[] | undefined;
    }, options?: Options) => AsyncGenerator<Changes<ChangedCar>, void, undefined>;
    /** Import cars from a file */
    readonly import: (file: request.Body, options?: ImportOptions) => Promise<ImportReport>;
    /** Read a car */
    readonly read: (key: string, query?: {
        /** What to include in each item: a collection, as an array in order of creation, or a field that refers to another item, which then contains that item instead of its key. */
        readonly include?: "oils" | readonly "oils"[] | undefined;
    }, options?: Options) => Promise<Tagged<Car>>;
    /** Add a car */
    readonly create: (content: NewCar, options?: CreateOptions) => Promise<Tagged<Car>>;
    /** Update a car with a merge patch */
    readonly update: (key: string, changes: CarChanges, options?: ChangeOptions) => Promise<Tagged<Car>>;
    /** Delete a car and its oils */
    readonly delete: (key: string, options?: ChangeOptions) => Promise<void>;
    /** Those of one item. */
    readonly oils: (key: string) => OilsCollection;
}
export interface OilsFilters {
    /** Only items whose `type` has this value, ignoring case and accents. Repeat it to match any of several values; an empty value does not filter. */
    readonly type?: string | readonly string[] | undefined;
    /** Only items whose `otherInfo` has this value, ignoring case and accents. Repeat it to match any of several values; an empty value does not filter. */
    readonly otherInfo?: string | readonly string[] | undefined;
    /** Elements per page. Without `page`, the first page, whose `Link: rel="next"` goes by position: nothing that stays is missed and nothing comes twice while others write. */
    readonly number_of_elements?: number | undefined;
    /** Only items in which each of these words begins a word of a searchable text (Cars: `brand`, `model`, `version`, `fuel`; Oils: `type`, `otherInfo`), ignoring case and accents. Unless `sort_by` or `order` is sent, the best matches come first: whole words before beginnings, and fields that every item has before others. */
    readonly search?: string | undefined;
}
export interface OilsQuery extends OilsFilters {
    /** Fields to sort by, separated by commas; the first decides. Case and accents are ignored; items without a value come last. Default: order of creation. */
    readonly sort_by?: OilsField | readonly OilsField[] | undefined;
    /** `asc` (the default) or `desc`; one for each field of `sort_by`, separated by commas. */
    readonly order?: "asc" | "desc" | readonly ("asc" | "desc")[] | undefined;
    /** Page number, from 1. Without `number_of_elements`, a page has 20 elements. After the last page, the list is empty. */
    readonly page?: number | undefined;
    /** Where the page before ended, as its `Link: rel="next"` gives it; filters and order must be the same. An item whose value in the order changes meanwhile may come again or be missed. */
    readonly after?: string | undefined;
}
/** The engine oils of a car. */
export interface OilsCollection {
    /** List the oils of a car */
    readonly list: (query?: OilsQuery, options?: Options) => Promise<Page<Oil>>;
    /** Reads them all, page by page: nothing that stays is missed or comes twice. */
    readonly iterate: (query?: Omit<OilsQuery, "page" | "after">, options?: Options) => AsyncGenerator<Oil, void, undefined>;
    /** List some fields of the oils of a car */
    readonly select: (query: OilsQuery & {
        /** Only these fields of each item, separated by commas; the key is always included. The other fields are then missing from the response, required ones too. */
        readonly fields: OilsField | readonly OilsField[];
    }, options?: Options) => Promise<Page<OilSelection>>;
    /** Count the oils of a car by a field */
    readonly group: (query: OilsFilters & {
        /** Returns one group for each value of this field, with the value and `total`, the number of items that have it: largest first, and last, without the field, the items that have no value. Case and accents do not separate groups. Cannot be combined with `sort_by` or `order`. */
        readonly group_by: OilsField;
        /** Page number, from 1. Without `number_of_elements`, a page has 20 elements. After the last page, the list is empty. */
        readonly page?: number | undefined;
    }, options?: Options) => Promise<Page<OilGroup>>;
    /** Export the oils of a car to a file */
    readonly export: (query: OilsQuery & {
        /** File format of the response, the same choice as `Accept` (which it overrides), for links that people click. */
        readonly format: "ndjson" | "csv" | "xlsx";
        /** Only these fields of each item, separated by commas; the key is always included. The other fields are then missing from the response, required ones too. */
        readonly fields?: OilsField | readonly OilsField[] | undefined;
    }, options?: Options) => Promise<ReadableStream<Uint8Array>>;
    /** List what has changed of the oils of a car since a position */
    readonly follow: (since?: string, query?: OilsFilters, options?: Options) => AsyncGenerator<Changes<ChangedOil>, void, undefined>;
    /** Import oils of a car from a file */
    readonly import: (file: request.Body, options?: ImportOptions) => Promise<ImportReport>;
    /** Read an oil of a car */
    readonly read: (key: string, query?: {}, options?: Options) => Promise<Tagged<Oil>>;
    /** Add an oil to a car */
    readonly create: (content: NewOil, options?: CreateOptions) => Promise<Tagged<Oil>>;
    /** Update an oil of a car with a merge patch */
    readonly update: (key: string, changes: OilChanges, options?: ChangeOptions) => Promise<Tagged<Oil>>;
    /** Delete an oil of a car */
    readonly delete: (key: string, options?: ChangeOptions) => Promise<void>;
}
export interface Catalogue {
    /** The cars of the catalogue. */
    readonly cars: CarsCollection;
}
/** A client of the catalogue at an origin, such as `http://localhost:3000`. */
export declare const connect: (origin: string, settings?: Settings) => Catalogue;
