import { bilingual } from '../../gateway/bilingual.ts';
import { createLanguages } from '../../gateway/locale/language.ts';
import type { Locale } from '../../gateway/locale/table.ts';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { Items } from '../../gateway/port/port.ts';
import type { StoredHook } from '../../store/clients.ts';

/** Changes as the API writes them, with the position behind them; that they are not known any more; or why they cannot be read. */
export type Changes =
  | { readonly kind: 'changes'; readonly items: string; readonly position: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly fault: string };

export type ReadChanges = (hook: Pick<StoredHook, 'list' | 'language'>, position: string) => Promise<Changes>;

/** Changes of a batch, and UTF-16 units of them, of which a single change may have more. */
const MOST = 100;
const MOST_UNITS = 262_144;

export const NOW = 'now';

export function hasItems({ items }: { readonly items: string }): boolean {
  return items !== '[]';
}

export function createChangesReader(
  catalogue: Catalogue,
  locales: readonly Locale[],
  defaultLanguage: string,
  store: Items,
): ReadChanges {
  const tables = Object.fromEntries(locales.map(({ tag, table }) => [tag, table]));
  const app = bilingual({ catalogue, tables, defaultLanguage, store });
  const languages = createLanguages(catalogue, locales, defaultLanguage);
  return async ({ list, language }, position) => {
    const parameters = languages.find(({ tag }) => tag === language)?.parameters;
    if (!parameters) return { kind: 'refused', fault: `there is no table ${language}.json` };
    // Fewer if that many are too long.
    for (let most = MOST; ; most = Math.floor(most / 4)) {
      const query = new URLSearchParams([
        [parameters.word('changed_since'), position],
        [parameters.word('number_of_elements'), String(most)],
      ]);
      const response = await app.request(`${list}${list.includes('?') ? '&' : '?'}${query}`);
      const items = await response.text();
      if (response.status === 410) return { kind: 'gone' };
      // The database does not respond, which says nothing about the hook.
      if (response.status >= 500) throw new Error(`the changes cannot be read (HTTP ${response.status})`);
      const end = response.headers.get('X-Change');
      if (response.status !== 200 || end === null)
        return { kind: 'refused', fault: `HTTP ${response.status}: ${items}` };
      if (items.length <= MOST_UNITS || most === 1) return { kind: 'changes', items, position: end };
    }
  };
}
