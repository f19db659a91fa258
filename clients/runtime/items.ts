/** Reads and writes single items, and files of them. */
import { isRefusal } from './error.ts';
import { type Query, withQuery } from './lists.ts';
import { type Body, type Options, type Service, send } from './request.ts';

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

const itemIn = async <T>(response: Response): Promise<Tagged<T>> => ({
  item: (await response.json()) as T,
  tag: response.headers.get('ETag') ?? '',
});

/** `crypto.randomUUID` is missing on pages that came by plain HTTP. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Without a key what is sent twice is done twice. */
const onceFor = ({ takesKeys }: Service, key: string | undefined): Record<string, string> =>
  takesKeys || key !== undefined ? { 'Idempotency-Key': key ?? randomKey() } : {};

const onlyIf = (tag: string | undefined): Record<string, string> => (tag === undefined ? {} : { 'If-Match': tag });

export const readItem = <T>(service: Service, path: string, query: Query, options: Options = {}): Promise<Tagged<T>> =>
  send(service, { method: 'GET', path: withQuery(service, path, query), ...options }, itemIn<T>);

/** @param content of the new item */
export const createItem = <T>(
  service: Service,
  path: string,
  content: object,
  { idempotencyKey, ...options }: CreateOptions,
): Promise<Tagged<T>> => {
  const headers = { 'Content-Type': 'application/json', ...onceFor(service, idempotencyKey) };
  const request = { method: 'POST', path, headers, body: JSON.stringify(content), isOnce: !service.takesKeys };
  return send(service, { ...request, ...options }, itemIn<T>);
};

/** Whether an item has all that a change was to give it; what was cleared is not there. */
const isChanged = (item: object, changes: object): boolean => {
  const now = new Map<string, unknown>(Object.entries(item));
  return Object.entries(changes).every(([member, value]) => value === undefined || (now.get(member) ?? null) === value);
};

/**
 * Changes the members that are sent. Where the answer to a first try was lost and the next one meets another state, the item is
 * read: if it is as it was to be, the change was made.
 */
export const updateItem = async <T extends object>(
  service: Service,
  path: string,
  changes: object,
  { tag, ...options }: ChangeOptions,
): Promise<Tagged<T>> => {
  const headers = { 'Content-Type': 'application/merge-patch+json', ...onlyIf(tag) };
  const request = { method: 'PATCH', path, headers, body: JSON.stringify(changes), ...options };
  try {
    return await send(service, request, itemIn<T>);
  } catch (error) {
    if (!isRefusal(error, 'precondition-failed') || error.tries === 1) throw error;
    const now = await readItem<T>(service, path, {}, options);
    if (isChanged(now.item, changes)) return now;
    throw error;
  }
};

/** Deletes an item; one that is gone when the request is sent again was deleted by the first try, whose answer was lost. */
export const removeItem = async (service: Service, path: string, { tag, ...options }: ChangeOptions): Promise<void> => {
  try {
    await send(service, { method: 'DELETE', path, headers: onlyIf(tag), ...options }, async () => undefined);
  } catch (error) {
    if (!isRefusal(error, 'not-found') || error.tries === 1) throw error;
  }
};

/**
 * @param file a stream, which cannot be read again, is sent once; everything else again where the answer was lost
 * @returns the report
 * @throws CatalogueError where rows were rejected; its problem has the report
 */
export const importFile = <T>(
  service: Service,
  path: string,
  file: Body,
  { type, prefer, idempotencyKey, ...options }: ImportOptions,
): Promise<T> => {
  const ownType = file instanceof Blob ? file.type : '';
  const headers = {
    'Content-Type': type ?? (ownType || 'text/csv'),
    ...onceFor(service, idempotencyKey),
    ...(prefer === undefined ? {} : { Prefer: prefer }),
  };
  const read = async (response: Response) => (await response.json()) as T;
  const isOnce = !service.takesKeys || file instanceof ReadableStream;
  return send(service, { method: 'POST', path, headers, body: file, isFile: true, isOnce, ...options }, read);
};

/** @returns the bytes of a file, as they come */
export const exportFile = (
  service: Service,
  path: string,
  query: Query,
  options: Options = {},
): Promise<ReadableStream<Uint8Array>> =>
  send(
    service,
    { method: 'GET', path: withQuery(service, path, query), isFile: true, ...options },
    async ({ body }) => body ?? new ReadableStream<Uint8Array>({ start: (empty) => empty.close() }),
  );
