/** The languages of a catalogue, which publishes its dictionaries and a document for each of them. */
import { valueAt } from '../../../vocabularies/src/words.ts';
import { type Dictionary, type Fetch, readDictionaries, readJson, rootPath } from '../kit/dictionary.ts';
import { pairDictionaries } from '../kit/words.ts';
import { NotComparable } from '../texts.ts';
import { proposeTable } from './pairing.ts';
import { Trees, type TreesOptions } from './trees.ts';

interface CatalogueOptions extends Pick<TreesOptions, 'headers' | 'rate' | 'get'> {
  readonly origin: string;
  /** Tags; by default every language. */
  readonly languages?: readonly string[] | undefined;
}

/**
 * Each language is compared with the first one.
 *
 * @returns what is compared, and how many web hooks there are, if the service says so
 * @throws NotComparable if there is too little to compare
 */
export async function openCatalogue({ origin, languages, headers = {}, rate, get = fetch }: CatalogueOptions) {
  const send: Fetch = (url, init) => get(url, { ...init, headers: { ...headers, ...init?.headers } });
  const every = await readDictionaries(origin, send);
  const chosen = every.filter(({ tag }) => languages?.includes(tag) ?? true);
  const missing = languages?.filter((tag) => !chosen.some((each) => each.tag === tag)) ?? [];
  if (missing.length > 0) throw new NotComparable('no-language', { tags: missing.join(', ') });
  const [first, ...others] = chosen;
  if (!first || others.length === 0) throw new NotComparable('one-language');
  const readDocument = ({ tag }: Dictionary) => readJson(`${origin}/api/openapi.${tag}.json`, send);
  const document = await readDocument(first);
  const subjects: Trees[] = [];
  for (const other of others) {
    const otherDocument = await readDocument(other);
    const titles = Object.entries(other.problems).map(([code, title]) => [code, { title }]);
    const { table, skipped } = proposeTable(document, otherDocument, new Map(pairDictionaries(first, other)));
    subjects.push(
      await Trees.open({
        bases: [origin, origin],
        tags: [first.tag, other.tag],
        document,
        otherDocument,
        // The titles of the second language by the codes of problems.
        table: { ...table, problems: Object.fromEntries(titles) },
        skipped,
        language: other.tag,
        dictionaries: [first, other],
        headers,
        rate,
        get,
      }),
    );
  }
  const index = await readJson(origin + rootPath(first), send);
  const hooks = valueAt(index, 'hooks');
  return { hooks: typeof hooks === 'number' ? hooks : undefined, subjects };
}
