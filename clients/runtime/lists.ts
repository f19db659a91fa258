/** Reads lists: a page, all pages, and what changed since. */
import { isRefusal } from './error.ts';
import { type Options, type Service, send } from './request.ts';

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

/** Items that are asked for at once while all are read. */
const PAGE_SIZE = 250;
const BEGINNING = '0';

export const withQuery = ({ lists }: Service, path: string, query: Query): string => {
  const search = new URLSearchParams();
  for (const [word, value] of Object.entries(query)) {
    const values: readonly unknown[] = [value].flat().filter((each) => each !== undefined);
    for (const each of lists.includes(word) && values.length > 0 ? [values.join(',')] : values)
      search.append(word, String(each));
  }
  return search.size === 0 ? path : `${path}?${search}`;
};

const nextIn = (link: string): string | undefined => /<([^>]*)>;\s*rel="next"/.exec(link)?.[1];

const pageAt = <T>(service: Service, path: string, options: Options = {}): Promise<Page<T>> =>
  send(service, { method: 'GET', path, ...options }, async (response) => {
    const items = (await response.json()) as readonly T[];
    return {
      items,
      total: Number(response.headers.get('X-Total-Count') ?? items.length),
      position: response.headers.get('X-Change') ?? BEGINNING,
      next: nextIn(response.headers.get('Link') ?? ''),
    };
  });

/** @returns the items, or groups, that match: all of them, or those of a page where the query says so */
export const readPage = <T>(service: Service, path: string, query: Query, options: Options = {}): Promise<Page<T>> =>
  pageAt(service, withQuery(service, path, query), options);

/** Reads page after page by the cursor, so that nothing that stays is missed or comes twice while others write. */
export async function* iterate<T>(
  service: Service,
  path: string,
  query: Query,
  options: Options = {},
): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let next: string | undefined = withQuery(service, path, { [service.words.pageSize]: PAGE_SIZE, ...query });
  while (next !== undefined) {
    if (seen.has(next)) throw new TypeError(`${next} leads to itself`);
    seen.add(next);
    const page: Page<T> = await pageAt(service, next, options);
    yield* page.items;
    next = page.next;
  }
}

/** Reads what changed since a position, page by page, until there is no more; from the beginning where the position is gone. */
export async function* readChanges<T>(
  service: Service,
  path: string,
  since: string = BEGINNING,
  query: Query,
  options: Options = {},
): AsyncGenerator<Changes<T>, void, undefined> {
  const from = (position: string): string =>
    withQuery(service, path, { ...query, [service.words.changedSince]: position });
  const beginning = from(BEGINNING);
  let startsAnew = false;
  let next: string | undefined = from(since);
  while (next !== undefined) {
    const asked: string = next;
    const page: Page<T> | undefined = await pageAt<T>(service, asked, options).catch((error: unknown) => {
      if (isRefusal(error, 'gone') && asked !== beginning) return undefined;
      throw error;
    });
    if (page) yield { items: page.items, position: page.position, startsAnew };
    startsAnew = page === undefined;
    next = page ? page.next : beginning;
  }
}
