/** What a damaging proxy does to the Spanish tree of a service, and where the checker must find it. */

/** A request on its way in. */
interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A response on its way out. */
interface Given {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Fault {
  readonly name: string;
  /** In the cause of a finding, or in a difference of documents. */
  readonly foundAt: RegExp;
  readonly request?: (sent: Sent) => Sent;
  readonly response?: (given: Given, sent: Sent) => Given;
  /** Whether it shows only where items are written. */
  readonly writes?: true;
}

const isList = ({ status, text }: Given): boolean => status === 200 && text.startsWith('[');
const isError = ({ status, text }: Given): boolean => status >= 400 && text.startsWith('{');

const without =
  (parameter: string) =>
  (sent: Sent): Sent => {
    const [path = '', query = ''] = sent.url.split('?');
    const kept = query.split('&').filter((pair) => pair !== '' && !pair.startsWith(`${parameter}=`));
    return { ...sent, url: kept.length > 0 ? `${path}?${kept.join('&')}` : path };
  };

const inText =
  (change: (text: string) => string, where: (given: Given) => boolean = () => true) =>
  (given: Given): Given =>
    where(given) ? { ...given, text: change(given.text) } : given;

const inRows = (change: (rows: readonly Record<string, unknown>[]) => readonly unknown[]) =>
  inText((text) => JSON.stringify(change(JSON.parse(text))), isList);

const inHeader =
  (name: string, change: (value: string) => string | undefined) =>
  (given: Given): Given => {
    const headers = new Headers(given.headers);
    const value = headers.get(name);
    const changed = value === null ? undefined : change(value);
    if (changed === undefined) headers.delete(name);
    else headers.set(name, changed);
    return { ...given, headers };
  };

const inProblem = (change: (problem: Record<string, unknown>) => object) =>
  inText((text) => JSON.stringify(change(JSON.parse(text))), isError);

const inErrors = (change: (error: Record<string, unknown>) => object) =>
  inProblem((problem) => ({
    ...problem,
    ...(Array.isArray(problem.errors) && { errors: problem.errors.map(change) }),
  }));

/** The OpenAPI document is Spanish, too. */
const inDocument =
  (change: (text: string) => string) =>
  (given: Given, { url }: Sent) =>
    url.endsWith('openapi.es.json') ? { ...given, text: change(given.text) } : given;

export const faults: readonly Fault[] = [
  {
    name: 'a word of the other language',
    foundAt: /body|status/,
    response: inText((text) => text.replaceAll('"marca":', '"brand":')),
  },
  {
    name: 'a word misspelt',
    foundAt: /body|modello/,
    response: inText((text) => text.replaceAll('"modelo":', '"modello":')),
  },
  {
    name: 'a word in groups',
    foundAt: /body/,
    response: inRows((rows) => rows.map(({ total, ...row }) => (total === undefined ? row : { ...row, suma: total }))),
  },
  { name: 'ordenar_por ignored', foundAt: /body/, request: without('ordenar_por') },
  { name: 'orden ignored', foundAt: /body/, request: without('orden') },
  { name: 'a filter ignored', foundAt: /x-total-count|body|status/, request: without('marca') },
  { name: 'a range ignored', foundAt: /x-total-count|body|status/, request: without('anio_desde') },
  { name: 'a search ignored', foundAt: /x-total-count|body|status/, request: without('buscar') },
  { name: 'parts ignored', foundAt: /body|status/, request: without('campos') },
  { name: 'nested items ignored', foundAt: /body\/aceites/, request: without('incluir') },
  {
    name: 'foreign words ignored',
    foundAt: /status 200 and 400|body/,
    request: (sent) =>
      ['brand', 'model', 'year', 'doors', 'sort_by', 'order', 'fields'].reduce(
        (rest, word) => without(word)(rest),
        sent,
      ),
  },
  {
    name: 'entity tags ignored',
    foundAt: /status 200 and 304/,
    request: ({ headers: { 'If-None-Match': _, ...headers }, ...sent }) => ({ ...sent, headers }),
  },
  { name: 'another order', foundAt: /body/, response: inRows((rows) => rows.toReversed()) },
  { name: 'the last row lost', foundAt: /body/, response: inRows((rows) => rows.slice(0, -1)) },
  {
    name: 'a number as a text',
    foundAt: /body\/anio/,
    response: inText((text) => text.replaceAll(/"anio":(\d+)/g, '"anio":"$1"')),
  },
  {
    name: 'null instead of nothing',
    foundAt: /body\/fuel|body/,
    response: inRows((rows) => rows.map((row) => ({ ...row, fuel: row.fuel ?? null }))),
  },
  {
    name: 'members in another order',
    foundAt: /body/,
    response: inRows((rows) => rows.map((row) => Object.fromEntries(Object.entries(row).toReversed()))),
  },
  { name: 'a missing header', foundAt: /headers\/vary/, response: inHeader('vary', () => undefined) },
  {
    name: 'a wrong total',
    foundAt: /x-total-count/,
    response: inHeader('x-total-count', (total) => String(Number(total) + 1)),
  },
  { name: 'another state', foundAt: /x-change/, response: inHeader('x-change', (state) => `${state}0`) },
  { name: 'a weak tag', foundAt: /headers\/etag/, response: inHeader('etag', (tag) => `W/${tag.replace('W/', '')}`) },
  {
    name: 'an untranslated link',
    foundAt: /headers\/link/,
    response: inHeader('link', (link) => link.replaceAll('numero_de_elementos', 'number_of_elements')),
  },
  {
    name: 'no link to other languages',
    foundAt: /link/,
    response: inHeader(
      'link',
      (link) => link.replace(/(?:, )?<[^>]*>; rel="alternate"; hreflang="en"/, '') || undefined,
    ),
  },
  { name: 'a wrong language', foundAt: /content-language/, response: inHeader('content-language', () => 'en') },
  {
    name: 'a method less',
    foundAt: /headers\/allow/,
    response: inHeader('allow', (methods) => methods.replace('PATCH, ', '').replace('POST, ', '')),
  },
  {
    name: 'an untranslated file name',
    foundAt: /content-disposition/,
    response: inHeader('content-disposition', (value) => value.replace('coches', 'cars').replace('aceites', 'oils')),
  },
  {
    name: 'commas in a Spanish table',
    foundAt: /body/,
    response: inText(
      (text) => text.replaceAll(';', ','),
      ({ text }) => text.startsWith('\uFEFF'),
    ),
  },
  {
    name: 'another status',
    foundAt: /status 400 and 422/,
    response: (given) => (given.status === 400 ? { ...given, status: 422 } : given),
  },
  {
    name: 'a sentence of the other language',
    foundAt: /detail/,
    response: inErrors((error) => ({ ...error, detail: 'It must be a number; send brand.' })),
  },
  {
    name: 'another number in a sentence',
    foundAt: /numbers/,
    response: inProblem((problem) => ({ ...problem, detail: String(problem.detail).replace(/\d+/, '77') })),
  },
  {
    name: 'an untranslated title',
    foundAt: /title/,
    response: inProblem((problem) => ({ ...problem, title: 'Not found' })),
  },
  { name: 'another code', foundAt: /code/, response: inErrors((error) => ({ ...error, code: 'invalid-value' })) },
  {
    name: 'an untranslated place',
    foundAt: /parameter/,
    response: inErrors((error) => ({ ...error, parameter: error.name ?? error.parameter })),
  },
  { name: 'no suggestion', foundAt: /suggestion/, response: inErrors(({ suggestion: _, ...error }) => error) },
  {
    name: 'one error only',
    foundAt: /errors/,
    response: inProblem((problem) => ({
      ...problem,
      ...(Array.isArray(problem.errors) && { errors: problem.errors.slice(0, 1) }),
    })),
  },
  {
    name: 'an operation without its identifier',
    foundAt: /operationId/,
    response: inDocument((text) => text.replace('"operationId":"carsList"', '"operationId":"cochesList"')),
  },
  {
    name: 'a status that is not documented',
    foundAt: /responses/,
    response: inDocument((text) => text.replace(/"412":\{/, '"499":{')),
  },
  {
    name: 'a limit that is documented otherwise',
    foundAt: /maximum/,
    response: inDocument((text) => text.replaceAll('"maximum":2100', '"maximum":2099')),
  },
  {
    name: 'an untranslated address of what was created',
    foundAt: /headers\/(?:content-)?location/,
    response: inHeader('location', (url) => url.replace('/coches', '/cars')),
    writes: true,
  },
  {
    name: 'a status of writes',
    foundAt: /status 200 and 201/,
    response: (given) => (given.status === 201 ? { ...given, status: 200 } : given),
    writes: true,
  },
  {
    name: 'an untranslated pointer',
    foundAt: /pointer/,
    response: inErrors((error) => ({
      ...error,
      ...(typeof error.pointer === 'string' && {
        pointer: error.pointer.replace('identificador', 'identifier').replace('marca', 'brand'),
      }),
    })),
    writes: true,
  },
];
