/** Reads lists: a page, all pages, and what changed since. */
import { isRefusal } from './error.js';
import { send } from './request.js';
/** Items that are asked for at once while all are read. */
const PAGE_SIZE = 250;
const BEGINNING = '0';
export const withQuery = ({ lists }, path, query) => {
    const search = new URLSearchParams();
    for (const [word, value] of Object.entries(query)) {
        const values = [value].flat().filter((each) => each !== undefined);
        for (const each of lists.includes(word) && values.length > 0 ? [values.join(',')] : values)
            search.append(word, String(each));
    }
    return search.size === 0 ? path : `${path}?${search}`;
};
const nextIn = (link) => /<([^>]*)>;\s*rel="next"/.exec(link)?.[1];
const pageAt = (service, path, options = {}) => send(service, { method: 'GET', path, ...options }, async (response) => {
    const items = (await response.json());
    return {
        items,
        total: Number(response.headers.get('X-Total-Count') ?? items.length),
        position: response.headers.get('X-Change') ?? BEGINNING,
        next: nextIn(response.headers.get('Link') ?? ''),
    };
});
/** @returns the items, or groups, that match: all of them, or those of a page where the query says so */
export const readPage = (service, path, query, options = {}) => pageAt(service, withQuery(service, path, query), options);
/** Reads page after page by the cursor, so that nothing that stays is missed or comes twice while others write. */
export async function* iterate(service, path, query, options = {}) {
    const seen = new Set();
    let next = withQuery(service, path, { [service.words.pageSize]: PAGE_SIZE, ...query });
    while (next !== undefined) {
        if (seen.has(next))
            throw new TypeError(`${next} leads to itself`);
        seen.add(next);
        const page = await pageAt(service, next, options);
        yield* page.items;
        next = page.next;
    }
}
/** Reads what changed since a position, page by page, until there is no more; from the beginning where the position is gone. */
export async function* readChanges(service, path, since = BEGINNING, query, options = {}) {
    const from = (position) => withQuery(service, path, { ...query, [service.words.changedSince]: position });
    const beginning = from(BEGINNING);
    let startsAnew = false;
    let next = from(since);
    while (next !== undefined) {
        const asked = next;
        const page = await pageAt(service, asked, options).catch((error) => {
            if (isRefusal(error, 'gone') && asked !== beginning)
                return undefined;
            throw error;
        });
        if (page)
            yield { items: page.items, position: page.position, startsAnew };
        startsAnew = page === undefined;
        next = page ? page.next : beginning;
    }
}
