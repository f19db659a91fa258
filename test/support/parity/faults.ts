/** What a damaging proxy does to the Spanish tree of a service, and where the checker must find it. */

/** A request on its way in. */
interface Sent {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'] | undefined;
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

const atStatus =
  (status: number, change: (given: Given) => Given) =>
  (given: Given): Given =>
    given.status === status ? change(given) : given;

const withHeader =
  (name: string, value: string) =>
  (given: Given): Given => {
    const headers = new Headers(given.headers);
    headers.set(name, value);
    return { ...given, headers };
  };

/** Members of a body that are null are not handed over. */
function withoutNulls(sent: Sent): Sent {
  const { body } = sent;
  return typeof body === 'string' ? { ...sent, body: body.replaceAll(/,?"[^"]*":null/g, '').replace('{,', '{') } : sent;
}

const inDictionary =
  (change: (text: string) => string) =>
  (given: Given, { url }: Sent) =>
    url.endsWith('locales/es') ? { ...given, text: change(given.text) } : given;

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
  { name: 'ordenar_por ignored', foundAt: /body|status|link/, request: without('ordenar_por') },
  { name: 'orden ignored', foundAt: /body|status|link/, request: without('orden') },
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
    request: ({ headers: { 'if-none-match': _, ...headers }, ...sent }) => ({ ...sent, headers }),
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
    name: 'an untranslated hint',
    foundAt: /headers\/x-hint/,
    response: inHeader('x-hint', (hint) => hint.replaceAll(/(?<=^|&)(?:marca|modelo)=/g, 'brand=')),
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
  {
    name: 'a null that is ignored',
    foundAt: /body|status/,
    request: withoutNulls,
    writes: true,
  },
  {
    name: 'a description of the other language',
    foundAt: /description/,
    response: inDocument((text) =>
      text.replace(/"description":"El texto[^"]*"|"description":"Marca[^"]*"/, '"description":"The brand of the car."'),
    ),
  },
  {
    name: 'a wrong label',
    foundAt: /label/,
    response: inDictionary((text) => text.replace(/"label":"Marca"/, '"label":"Brand"')),
  },
  {
    name: 'two labels exchanged',
    foundAt: /label/,
    response: inDictionary((text) => text.replace(/"label":"Modelo"/, '"label":"Marca"')),
  },
  {
    name: 'a comma in a value is a separator',
    foundAt: /body|x-total-count|x-change/,
    request: (sent) => ({ ...sent, url: sent.url.replaceAll('%2C', ',').replace(/(marca=[^,&]*),[^&]*/, '$1') }),
  },
  {
    name: 'a header that only errors lack',
    foundAt: /headers\/x-frame-options|headers\/x-content-type-options|headers/,
    response: (given) => (given.status >= 400 ? inHeader('x-content-type-options', () => undefined)(given) : given),
  },
  {
    name: 'a header that only errors have',
    foundAt: /headers\/x-reason/,
    response: (given) => (given.status >= 400 ? withHeader('x-reason', 'no')(given) : given),
  },
  {
    name: 'an alternative that is documented otherwise',
    foundAt: /anyOf\/1\/minItems/,
    response: inDocument((text) => text.replaceAll('"minItems":1}]', '"minItems":2}]')),
  },
  {
    name: 'an untranslated value within an alternative',
    foundAt: /anyOf\/1\/items\/enum/,
    response: inDocument((text) =>
      text.replaceAll('"items":{"type":"string","enum":["ascendente"', '"items":{"type":"string","enum":["asc"'),
    ),
  },
  {
    name: 'a next page in the tree of the other language',
    foundAt: /link|body/,
    response: inHeader('link', (link) => link.replace(/<\/api\/coches([^>]*>; rel="next")/, '</api/cars$1')),
  },
  {
    name: 'a next page without its filters',
    foundAt: /link|body/,
    response: inHeader('link', (link) => link.replace(/marca=[^&>]*&([^>]*>; rel="next")/, '$1')),
  },
  {
    name: 'a time to wait that only one tree tells',
    foundAt: /retry-after/,
    response: atStatus(404, withHeader('retry-after', '5')),
  },
  {
    name: 'an entity tag of both languages',
    foundAt: /etag|status 200 and 304/,
    response: inHeader('etag', (tag) => tag.replace(/\.es"$/, '.en"')),
    request: (sent) => ({
      ...sent,
      headers: Object.fromEntries(
        Object.entries(sent.headers).map(([name, value]) => [
          name,
          /^if-/i.test(name) ? value.replace('.en"', '.es"') : value,
        ]),
      ),
    }),
  },
  {
    name: 'an entity tag that is another each time',
    foundAt: /status 200 and 304/,
    response: inHeader('etag', (tag) => tag.replace(/"[^"]*"/, () => `"${performance.now()}.es"`)),
  },
  {
    name: 'what is gone is not found',
    foundAt: /status 404 and 410/,
    response: atStatus(410, (given) => ({ ...given, status: 404 })),
  },
  {
    name: 'another order by default',
    foundAt: /body/,
    response: (given, { url }) => (url.includes('ordenar_por') ? given : inRows((rows) => rows.toReversed())(given)),
  },
  {
    name: 'a total that only a filter makes wrong',
    foundAt: /x-total-count/,
    response: (given, { url }) =>
      url.includes('marca=') ? inHeader('x-total-count', (total) => String(Number(total) + 1))(given) : given,
  },
  {
    name: 'a title of the other language at one status',
    foundAt: /title/,
    response: atStatus(
      406,
      inProblem((problem) => ({ ...problem, title: 'Not acceptable' })),
    ),
  },
  {
    name: 'what has not changed says nothing of caches',
    foundAt: /cache-control/,
    response: atStatus(
      304,
      inHeader('cache-control', () => undefined),
    ),
  },
  {
    name: 'another order of nested items',
    foundAt: /tipo|otros_datos/,
    response: inText((text) =>
      text.replaceAll(
        /"aceites":(\[\{.*?\}\])/g,
        (_, oils) => `"aceites":${JSON.stringify(JSON.parse(oils).reverse())}`,
      ),
    ),
  },
  {
    name: 'HEAD without its total',
    foundAt: /x-total-count/,
    response: (given, { method }) => (method === 'HEAD' ? inHeader('x-total-count', () => undefined)(given) : given),
  },
  {
    name: 'HEAD has another tag',
    foundAt: /etag|HEAD/,
    response: (given, { method }) => (method === 'HEAD' ? inHeader('etag', () => 'W/"other.es"')(given) : given),
  },
  {
    name: 'a method more',
    foundAt: /headers\/allow/,
    response: (given, { method }) =>
      method === 'OPTIONS' ? inHeader('allow', (all) => `${all}, TRACE`)(given) : given,
  },
  {
    name: 'a table without its mark',
    foundAt: /body/,
    response: inText((text) => text.replace('\uFEFF', '')),
  },
  {
    name: 'a cache that keeps it',
    foundAt: /cache-control/,
    response: inHeader('cache-control', () => 'max-age=60'),
  },
  {
    name: 'a filter that minds case',
    foundAt: /body|x-total-count|status|link/,
    request: (sent) => ({ ...sent, url: sent.url.replace(/(?<=marca=)[a-z]+(?=&|$)/, 'zzz') }),
  },
  {
    name: 'the first page again',
    foundAt: /body|link/,
    request: (sent) => ({ ...sent, url: sent.url.replace(/pagina=\d+/, 'pagina=1') }),
  },
  {
    name: 'a condition of writes that is ignored',
    foundAt: /status/,
    request: ({ headers, ...sent }) => ({
      ...sent,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !/^if-match$/i.test(name))),
    }),
    writes: true,
  },
  {
    name: 'another default of the number of elements',
    foundAt: /body|link/,
    request: (sent) =>
      /numero_de_elementos|%3F/.test(sent.url) || sent.method !== 'GET' || !sent.url.includes('/api/coches')
        ? sent
        : { ...sent, url: `${sent.url}${sent.url.includes('?') ? '&' : '?'}numero_de_elementos=5` },
  },
  {
    name: 'text of which letters and accents are apart',
    foundAt: /body/,
    response: inText((text) => text.normalize('NFD'), isList),
  },
  {
    name: 'a key that is shown encoded',
    foundAt: /body/,
    response: inText((text) => text.replaceAll(/"identificador":"k\//g, '"identificador":"k%2F'), isList),
  },
  {
    name: 'a deletion that succeeds twice',
    foundAt: /status 204 and 404/,
    response: (given, { method }) =>
      method === 'DELETE' && given.status === 404 ? { ...given, status: 204, text: '' } : given,
    writes: true,
  },
  {
    name: 'a member that is not stored',
    foundAt: /body|status/,
    request: ({ body, ...sent }) => ({
      ...sent,
      body: typeof body === 'string' ? body.replace(/,"version":"[^"]*"/, '') : body,
    }),
    writes: true,
  },
  {
    name: 'no tag of what was changed',
    foundAt: /etag/,
    response: (given, { method }) => (method === 'PATCH' ? inHeader('etag', () => undefined)(given) : given),
    writes: true,
  },
  {
    name: 'a conflict that is another error',
    foundAt: /status 400 and 409/,
    response: atStatus(409, (given) => ({ ...given, status: 400 })),
    writes: true,
  },
  {
    name: 'an unknown member that is accepted',
    foundAt: /status/,
    request: ({ body, ...sent }) => ({
      ...sent,
      body: typeof body === 'string' ? body.replace(/,?"zzzzzz":1/, '') : body,
    }),
    writes: true,
  },
  {
    name: 'media types of changes are not told',
    foundAt: /accept-patch/,
    response: inHeader('accept-patch', () => undefined),
    writes: true,
  },
  {
    name: 'rows of a report that count from zero',
    foundAt: /fila/,
    response: inText((text) => text.replaceAll('"fila":1', '"fila":0')),
    writes: true,
  },
  {
    name: 'an untranslated column of a report',
    foundAt: /columna|detalle/,
    response: inText((text) => text.replaceAll('"columna":"zzzzzz"', '"columna":"brand"')),
    writes: true,
  },
  {
    name: 'a text with one space more',
    foundAt: /body/,
    response: inText((text) => text.replaceAll(' Sport"', '  Sport"')),
  },
  {
    name: 'a word for no value',
    foundAt: /body/,
    response: inText((text) => text.replaceAll('"climatizador":false', '"climatizador":null')),
  },
];

/** Faults of the Spanish tree of examples/around-hono. */
export const taskFaults: readonly Fault[] = [
  {
    name: 'an untranslated member',
    foundAt: /body/,
    response: inText((text) => text.replaceAll('"titulo"', '"title"')),
  },
  {
    name: 'an untranslated value',
    foundAt: /body/,
    response: inText((text) => text.replaceAll('"pendiente"', '"open"')),
  },
  { name: 'a member lost', foundAt: /body/, response: inText((text) => text.replaceAll(/,"vence":"[^"]*"/g, '')) },
  { name: 'a filter ignored', foundAt: /body|status/, request: without('estado') },
  { name: 'a row lost', foundAt: /body/, response: inRows((rows) => rows.slice(1)) },
  { name: 'another order', foundAt: /body/, response: inRows((rows) => rows.toReversed()) },
  { name: 'another media type', foundAt: /content-type/, response: inHeader('content-type', () => 'text/plain') },
  {
    name: 'another status',
    foundAt: /status/,
    response: (given) => (given.status === 400 ? { ...given, status: 422 } : given),
  },
  {
    name: 'an untranslated title',
    foundAt: /title/,
    response: inText((text) => text.replace('Petición no válida', 'Invalid request')),
  },
  {
    name: 'an address of elsewhere',
    foundAt: /location/,
    response: inHeader('location', (url) => `https://elsewhere.test${url}`),
    writes: true,
  },
  { name: 'no address', foundAt: /location/, response: inHeader('location', () => undefined), writes: true },
  {
    name: 'words of the names accepted',
    foundAt: /body|status/,
    request: (sent) => ({
      ...sent,
      url: sent.url.replace('state=', 'estado=').replace('=open', '=pendiente').replace('=done', '=hecha'),
    }),
  },
  {
    name: 'a date in its local form',
    foundAt: /vence/,
    response: inText((text) => text.replaceAll(/"vence":"(\d+)-(\d+)-(\d+)"/g, '"vence":"$3/$2/$1"')),
  },
  {
    name: 'a default of its own',
    foundAt: /estado/,
    request: ({ body, ...sent }) => ({
      ...sent,
      body:
        typeof body === 'string' && sent.method === 'POST'
          ? body.replace(/,"estado":"[^"]*"/, '').replace(/\}$/, ',"estado":"hecha"}')
          : body,
    }),
    writes: true,
  },
];

/** Faults of the Spanish tree of examples/before-an-api. */
export const productFaults: readonly Fault[] = [
  {
    name: 'an untranslated envelope',
    foundAt: /body/,
    response: inText((text) => text.replaceAll('"datos"', '"data"')),
  },
  {
    name: 'an untranslated value',
    foundAt: /body/,
    response: inText((text) => text.replaceAll('"cafe_en_grano"', '"whole_beans"')),
  },
  {
    name: 'a wrong total',
    foundAt: /total/,
    response: inText((text) => text.replaceAll(/"total":\d+/g, '"total":99')),
  },
  {
    name: 'an untranslated link',
    foundAt: /siguiente/,
    response: inText((text) => text.replaceAll('"/productos', '"/products')),
  },
  {
    name: 'a parameter of a link untranslated',
    foundAt: /siguiente/,
    response: inText((text) => text.replaceAll('cuantos=', 'limit=')),
  },
  {
    name: 'a number as a text',
    foundAt: /precio_por_kilo/,
    response: inText((text) => text.replaceAll(/("precio_por_kilo":)([\d.]+)/g, '$1"$2"')),
  },
  {
    name: 'a number with another sign',
    foundAt: /precio_por_kilo/,
    response: inText((text) => text.replaceAll(/("precio_por_kilo":\d+\.\d)/g, '$10')),
  },
  { name: 'a filter ignored', foundAt: /body|status/, request: without('clase') },
  { name: 'a limit ignored', foundAt: /body|status/, request: without('cuantos') },
  { name: 'an offset ignored', foundAt: /body|status/, request: without('desde') },
  {
    name: 'an untranslated field of an error',
    foundAt: /campo/,
    response: inText((text) => text.replaceAll('"campo":"desde"', '"campo":"offset"')),
  },
  {
    name: 'an untranslated message',
    foundAt: /mensaje/,
    response: inText((text) => text.replaceAll('"no existe"', '"not found"')),
  },
  {
    name: 'a token that is not needed',
    foundAt: /status 200 and 401/,
    request: (sent) => ({ ...sent, headers: { ...sent.headers, authorization: 'Bearer let-me-in' } }),
  },
  {
    name: 'another status',
    foundAt: /status 400 and 404/,
    response: (given) => (given.status === 404 ? { ...given, status: 400 } : given),
  },
  {
    name: 'a member lost',
    foundAt: /creado_en/,
    response: inText((text) => text.replaceAll(/,"creado_en":"[^"]*"/g, '')),
  },
  { name: 'a comma lost', foundAt: /nombre/, response: inText((text) => text.replaceAll('Café,', 'Café')) },
  {
    name: 'a header that only errors have',
    foundAt: /headers/,
    response: (given) => (given.status >= 400 ? withHeader('x-reason', 'no')(given) : given),
  },
  { name: 'a null that is ignored', foundAt: /body|status/, request: withoutNulls, writes: true },
  {
    name: 'a status of a deletion',
    foundAt: /status 200 and 204/,
    response: (given) => (given.status === 204 ? { ...given, status: 200, text: '{}' } : given),
    writes: true,
  },
  {
    name: 'an untranslated address',
    foundAt: /location/,
    response: inHeader('location', (url) => url.replace('/productos', '/products')),
    writes: true,
  },
  {
    name: 'a null that is left out',
    foundAt: /siguiente/,
    response: inText((text) => text.replace(/,"[^"]*siguiente[^"]*":null/, '')),
  },
  {
    name: 'a total that only a filter makes wrong',
    foundAt: /total/,
    response: (given, { url }) =>
      url.includes('clase=') ? inText((text) => text.replace(/"total":(\d+)/, '"total":1$1'))(given) : given,
  },
  {
    name: 'an order of its own',
    foundAt: /body/,
    response: inText((text) =>
      text.replace(/(?<="datos":)\[\{.*?\}\]/, (rows) => JSON.stringify(JSON.parse(rows).reverse())),
    ),
  },
];
