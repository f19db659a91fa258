/** `X-Hint` of an empty list: parameters that find something, if what was sent tells what was meant. */
import type { HeaderRecord } from '../http/context.ts';
import type { Field } from '../model/field.ts';
import { EVERYTHING, type Filter, type Query } from '../model/query.ts';
import type { Keys } from '../port/port.ts';
import type { Resource } from './resource.ts';

interface EmptyList {
  readonly resource: Resource;
  readonly parents: Keys;
  readonly query: Query;
}

/** The most values that are looked for in a list that is empty, each by a count of its own. */
const MOST_PARTS = 5;

/** @returns the values that a comma separates in a filter; none if they are too many to be looked for */
function splitAtComma({ operator, values: [value, ...others] }: Filter): readonly string[] {
  if (operator !== 'equals' || typeof value !== 'string' || others.length > 0) return [];
  const parts = value.split(',', MOST_PARTS + 1).map((part) => part.trim());
  return parts.length > 1 && parts.length <= MOST_PARTS && !parts.includes('') ? parts : [];
}

function writeHint({ language, collection }: Resource, filters: readonly Filter[]): HeaderRecord {
  const pairs = filters.flatMap(({ field, values }) => {
    const word = encodeURIComponent(language.fields(collection).word(field.name));
    return values.map((value) => `${word}=${encodeURIComponent(value)}`);
  });
  return { 'X-Hint': pairs.join('&') };
}

/** @returns `X-Hint` if a comma was sent for “or” */
async function hintAtComma({ resource, parents, query }: EmptyList): Promise<HeaderRecord> {
  const { collection, options } = resource;
  const at = query.filters.findIndex((filter) => splitAtComma(filter).length > 0);
  const filter = query.filters[at];
  if (!filter) return {};
  const parts = splitAtComma(filter);
  for (const part of parts) {
    const filters = query.filters.with(at, { ...filter, values: [part] });
    const plan = options.store.plan({ of: 'list', collection, keys: parents, query: { ...query, filters } });
    if (!(await options.store.summarize(plan))?.total) return {};
  }
  return writeHint(resource, [{ ...filter, values: parts }]);
}

/** @returns the values of a field that some filters find, as they are stored */
async function readValues({ resource, parents, query }: EmptyList, filters: readonly Filter[], group: Field) {
  const { collection, options } = resource;
  const groups = { ...EVERYTHING, search: query.search, filters, group };
  const plan = options.store.plan({ of: 'list', collection, keys: parents, query: groups });
  const { rows = [], rest } = (await options.store.read(plan)) ?? {};
  void rest?.return?.();
  return rows.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
}

/** @returns `X-Hint` with what other languages write for the values of filters, each looked for with one read */
async function hintAtEquivalents(list: EmptyList): Promise<HeaderRecord> {
  const { language, collection } = list.resource;
  let filters = list.query.filters.map((filter) => {
    const { field, operator, values } = filter;
    const equivalents = values.flatMap((value) => language.equivalents(collection, field, String(value)));
    const isForeign = operator === 'equals' && equivalents.length > 0;
    return { ...filter, values: isForeign ? [...values, ...equivalents] : values, isForeign };
  });
  for (const [at, filter] of filters.entries()) {
    if (!filter.isForeign) continue;
    const values = await readValues(list, filters, filter.field);
    if (values.length === 0) return {};
    filters = filters.with(at, { ...filter, values });
  }
  const foreign = filters.filter(({ isForeign }) => isForeign);
  return foreign.length > 0 ? writeHint(list.resource, foreign) : {};
}

/** @returns `X-Hint` of a list that is empty; nothing if it is not known what would find something */
export async function hintAtOthers(list: EmptyList): Promise<HeaderRecord> {
  const hint = await hintAtComma(list);
  return 'X-Hint' in hint ? hint : hintAtEquivalents(list);
}
