/** Requests to the default catalogue that follow from a seed, in the words of a table. */
type Members = Readonly<Record<string, unknown>>;

export interface TableWords {
  readonly paths: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly parameters: Readonly<Record<string, string>>;
  readonly suffixes: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

export interface OracleRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Which tag goes into `If-Match` or `If-None-Match`: the last one that this client was given. */
  readonly condition?: 'If-Match' | 'If-None-Match';
  /** Whether it has a word of another language, which the translator answers by itself. */
  readonly isForeign?: true;
}

/** @returns a function that draws whole numbers below a limit, always the same for a seed (mulberry32) */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const TEXTS = ['brand', 'model', 'version', 'fuel'];
const NUMBERS = ['year', 'doors', 'enginePower'];
const FLAGS = ['clima', 'ac'];
const FIELDS = ['identifier', ...TEXTS, ...NUMBERS, ...FLAGS];
const KEYS = ['a', 'b-1', 'c c', 'ñ', 'marca', 'd%'];
const SAMPLES = ['Seat', 'Citroën', 'brand', 'marca', '12.10', '__proto__', 'a,b', '"x"', '\\u0041'];

/** @param other the words of another language, of which one is sent now and then */
export function createRequests(
  words: TableWords,
  other: TableWords,
  seed: number,
  count: number,
): readonly OracleRequest[] {
  const below = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const once = (in_: number): boolean => below(in_) === 0;
  const field = (name: string): string => words.fields.cars?.[name] ?? name;
  const oil = (name: string): string => words.fields.oils?.[name] ?? name;
  const list = (view?: string): string => `/api/${view ? `${words.paths[view]}/` : ''}${words.paths.cars}`;
  const item = (): string => `${list()}/${encodeURIComponent(pick(KEYS))}`;
  const oils = (): string => `${item()}/${words.paths.oils}`;
  const query = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.length === 0
      ? ''
      : `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
  const value = (name: string): unknown => {
    if (name === 'year') return 1990 + below(30);
    if (NUMBERS.includes(name)) return below(20);
    return FLAGS.includes(name) ? once(2) : pick(SAMPLES);
  };
  const members = (): Members => {
    const names = ['brand', 'model', ...[...TEXTS.slice(2), ...NUMBERS, ...FLAGS].filter(() => once(2))];
    return Object.fromEntries(names.map((name) => [field(name), value(name)]));
  };
  const filters = (): (readonly [string, string])[] => {
    const name = pick(FIELDS.slice(1));
    const isRange = NUMBERS.includes(name) && once(2);
    const parameter = isRange ? `${field(name)}_${words.suffixes[pick(['from', 'to'])]}` : field(name);
    return [[parameter, String(value(name))]];
  };
  const paged = (): (readonly [string, string])[] =>
    once(2)
      ? [
          [words.parameters.number_of_elements ?? '', String(1 + below(3))],
          ...(once(2) ? [[words.parameters.page ?? '', String(1 + below(2))] as const] : []),
        ]
      : [];
  const sorted = (): (readonly [string, string])[] => {
    const names = once(3) ? [pick(FIELDS), pick(FIELDS)] : [pick(FIELDS)];
    return [
      [words.parameters.sort_by ?? '', [...new Set(names)].map(field).join(',')],
      ...(once(2) ? [[words.parameters.order ?? '', words.values[pick(['asc', 'desc'])] ?? ''] as const] : []),
    ];
  };
  const read = (): OracleRequest => ({
    method: pick(['GET', 'GET', 'GET', 'HEAD']),
    url:
      list() +
      query([
        ...(once(2) ? filters() : []),
        ...(once(2) ? sorted() : []),
        ...paged(),
        ...(once(3) ? [[words.parameters.include ?? '', words.paths.oils ?? ''] as const] : []),
      ]),
    ...(once(4) ? { condition: 'If-None-Match' as const } : {}),
  });
  const makers: readonly (() => OracleRequest)[] = [
    read,
    read,
    () => ({
      method: 'GET',
      url: list() + query([...filters(), [words.parameters.search ?? '', pick(['seat', 'citroen'])]]),
    }),
    () => ({
      method: 'GET',
      url:
        list('selections') +
        query([[words.parameters.fields ?? '', `${field(pick(TEXTS))},${field('year')}`], ...paged()]),
    }),
    () => ({
      method: 'GET',
      url: list('groups') + query([[words.parameters.group_by ?? '', field(pick(FIELDS))], ...paged()]),
    }),
    () => ({ method: 'GET', url: list('exports') + query([[words.parameters.format ?? '', 'ndjson'], ...filters()]) }),
    () => ({ method: 'GET', url: list('changes') + query([[words.parameters.changed_since ?? '', '0']]) }),
    () => ({
      method: 'POST',
      url: list(),
      headers: JSON_TYPE,
      body: JSON.stringify({ [field('identifier')]: pick(KEYS), ...members() }),
    }),
    () => ({ method: 'POST', url: list(), headers: JSON_TYPE, body: JSON.stringify(members(), null, once(2) ? 2 : 0) }),
    () => ({
      method: 'GET',
      url: item() + (once(3) ? query([[words.parameters.include ?? '', words.paths.oils ?? '']]) : ''),
      ...(once(3) ? { condition: 'If-None-Match' as const } : {}),
    }),
    () => ({
      method: 'PATCH',
      url: item(),
      headers: once(2) ? JSON_TYPE : { 'Content-Type': 'application/merge-patch+json' },
      body: JSON.stringify({ [field('version')]: once(3) ? null : pick(SAMPLES) }),
      ...(once(2) ? { condition: 'If-Match' as const } : {}),
    }),
    () => ({ method: 'PUT', url: item(), headers: JSON_TYPE, body: JSON.stringify(members()) }),
    () => ({ method: 'DELETE', url: item(), ...(once(2) ? { condition: 'If-Match' as const } : {}) }),
    () => ({
      method: 'POST',
      url: oils(),
      headers: JSON_TYPE,
      body: JSON.stringify({ [oil('type')]: pick(['5W-30', 'tipo', '10W']), [oil('otherInfo')]: pick(SAMPLES) }),
    }),
    () => ({ method: 'GET', url: oils() + (once(2) ? query([[words.parameters.sort_by ?? '', oil('type')]]) : '') }),
    () => ({ method: 'GET', url: `${oils()}/5W-30` }),
    () => ({
      method: 'POST',
      url: list('imports'),
      headers: {
        'Content-Type': 'application/x-ndjson',
        Prefer: pick(['handling=lenient', 'handling=check', 'resolution=merge-duplicates']),
      },
      body: Array.from(
        { length: 1 + below(3) },
        () =>
          `${JSON.stringify({ [field('identifier')]: pick(KEYS), ...members(), ...(once(6) ? { [field('year')]: 'x' } : {}) })}\n`,
      ).join(''),
    }),
    // Refusals with one fault.
    () => ({
      method: 'POST',
      url: list(),
      headers: JSON_TYPE,
      body: JSON.stringify({ ...members(), [field(pick(NUMBERS))]: 'x' }),
    }),
    () => ({ method: 'POST', url: list(), headers: JSON_TYPE, body: JSON.stringify({ [field('brand')]: 'Seat' }) }),
    () => ({ method: 'POST', url: list(), headers: JSON_TYPE, body: pick(['{', '', 'null', '{"x":}']) }),
    () => ({ method: 'GET', url: list() + query([[words.parameters.page ?? '', pick(['0', '-1', 'x'])]]) }),
    () => ({ method: 'GET', url: list() + query([[field(pick(NUMBERS)), 'x']]) }),
    () => ({ method: 'GET', url: `${list()}/zzzzqqq` }),
    () => ({ method: 'PUT', url: list(), headers: JSON_TYPE, body: '{}' }),
    // A word of another language.
    () => ({
      isForeign: true,
      method: 'GET',
      url:
        list() +
        query([
          [pick([other.parameters.order, other.parameters.page, other.parameters.number_of_elements]) ?? '', '1'],
        ]),
    }),
    () => ({
      isForeign: true,
      method: 'GET',
      url: list() + query([[words.parameters.order ?? '', other.values.desc ?? '']]),
    }),
    () => ({
      isForeign: true,
      method: 'GET',
      url: list() + query([[words.parameters.sort_by ?? '', other.fields.cars?.brand ?? '']]),
    }),
    () => ({
      isForeign: true,
      method: 'POST',
      url: list(),
      headers: JSON_TYPE,
      body: JSON.stringify({ [field('brand')]: 'a', [field('model')]: 'b', [other.fields.cars?.year ?? '']: 2000 }),
    }),
  ];
  return Array.from({ length: count }, () => pick(makers)());
}
