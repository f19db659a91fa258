/** The gateway before an API that exists already: no item is stored here. */
import { type Capability, capabilities } from '../../gateway/model/capability.ts';
import type { Catalogue, Collection } from '../../gateway/model/catalogue.ts';
import type { Items } from '../../gateway/port/port.ts';
import { sentence } from '../../gateway/texts/phrase.ts';
import { Problem } from '../../gateway/texts/problem.ts';
import { apiOf } from './api.ts';
import type { Dialect } from './dialects/dialect.ts';
import { jsonServer, jsonServer1 } from './dialects/json-server.ts';
import { postgrest } from './dialects/postgrest.ts';
import { thisService } from './dialects/this.ts';
import { exchangeWith } from './exchange/exchange.ts';
import { type MappedCollection, type Mapping, type MappingFile, readMapping } from './mapping/mapping.ts';
import { type ReadOptions, readsOf } from './reads.ts';
import { writesOf } from './writes.ts';

const dialectOf = ({ preset, words }: Mapping): Dialect =>
  ({ 'json-server': jsonServer, 'json-server-1': jsonServer1, postgrest, this: thisService(words) })[preset];

/** What can be done here of all items of a list. */
const DONE_HERE: readonly Capability[] = ['search', 'groups', 'ranges', 'folded', 'sorts'];

/** @returns whether all items of a collection are in one list there */
const hasList = ({ collection, parent }: MappedCollection): boolean => !collection.parent || parent !== undefined;

interface UpstreamSettings extends ReadOptions {
  readonly authorization?: () => string | undefined;
}

/** @param url of the API, such as `http://localhost:3001` */
export const upstreamOf = (url: string, mapping: Mapping, options: UpstreamSettings = {}) => {
  const dialect = dialectOf(mapping);
  const exchange = exchangeWith(new URL(url), mapping, options.authorization);
  const api = apiOf(exchange, mapping, dialect);
  const write = writesOf(exchange, api, mapping, dialect, mapping.catalogue);
  const reads = readsOf(api, mapping, dialect, options);
  const countOf = async (collection: Collection): Promise<number> => {
    // Below each item there is another list.
    if (!hasList(mapping.of(collection))) return Number.NaN;
    return (await api.page(api.wholeOf(collection), { limit: 1 }))?.total ?? 0;
  };
  const items: Items = {
    can: capabilities.filter(
      (each) =>
        dialect.can.includes(each) ||
        (mapping.here > 0 && DONE_HERE.includes(each)) ||
        (each === 'writes' && !mapping.readOnly) ||
        (each === 'nested' && mapping.catalogue.map(mapping.of).every(hasList)),
    ),
    plan: reads.plan,
    read: reads.read,
    summarize: reads.summarize,
    write: (intent, callerOf) => write(intent, callerOf?.()),
    importRows: () => Promise.reject(new Problem('not-supported', sentence('import-unsupported', {}))),
    countRows: countOf,
    ready: () => {
      const [first] = mapping.catalogue;
      return first !== undefined && countOf(first).then(Number.isFinite, () => false);
    },
  };
  return { items, api, close: reads.close };
};

/**
 * @param url of the API
 * @param mapping what `upstream.json` would say
 * @throws DatabaseError with a line for each fault of the mapping
 */
export const upstream = (url: string, mapping: MappingFile, catalogue: Catalogue): Items =>
  upstreamOf(url, readMapping(mapping, catalogue)).items;
