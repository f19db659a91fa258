/** What a damaging proxy does to the Spanish tree of a service, and where the checker must find it. */

/** A request on its way in. */
interface ProxyRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'] | undefined;
}

/** An answer on its way out. */
interface ProxyAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Damage {
  readonly request?: (request: ProxyRequest) => ProxyRequest;
  readonly response?: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer;
  /** Whether it shows only if items are written. */
  readonly writes?: true;
}

export interface Fault extends Damage {
  readonly name: string;
  /** In the cause of a finding, or in a difference of documents. */
  readonly foundAt: RegExp;
}

type Row = readonly [name: string, foundAt: RegExp, damage: Damage];
type Members = Readonly<Record<string, unknown>>;
type Condition = (answer: ProxyAnswer, request: ProxyRequest) => boolean;

const writing = (damage: Damage): Damage => ({ ...damage, writes: true });

const when = (condition: Condition, { response = (answer) => answer }: Damage): Damage => ({
  response: (answer, request) => (condition(answer, request) ? response(answer, request) : answer),
});
const isList: Condition = ({ status, text }) => status === 200 && text.startsWith('[');
const isError: Condition = ({ status, text }) => status >= 400 && text.startsWith('{');
const hasFailed: Condition = ({ status }) => status >= 400;
const statusIs =
  (expected: number): Condition =>
  (answer) =>
    answer.status === expected;
const methodIs =
  (expected: string): Condition =>
  (_, request) =>
    request.method === expected;
const urlHas =
  (part: string): Condition =>
  (_, request) =>
    request.url.includes(part);

/** Replaces every occurrence of a string or of a global pattern, and the first one of another pattern. */
const replaceIn = (text: string, from: string | RegExp, to: string): string =>
  typeof from === 'string' || from.global ? text.replaceAll(from, to) : text.replace(from, to);

export const changeText = (change: (text: string) => string): Damage => ({
  response: (answer) => ({ ...answer, text: change(answer.text) }),
});
const replaceText = (from: string | RegExp, to: string): Damage => changeText((text) => replaceIn(text, from, to));
const changeStatus = (from: number, to: number): Damage =>
  when(statusIs(from), { response: (answer) => ({ ...answer, status: to }) });

const changeRows = (change: (rows: readonly Members[]) => readonly unknown[]): Damage =>
  when(
    isList,
    changeText((text) => JSON.stringify(change(JSON.parse(text)))),
  );
const changeProblem = (change: (problem: Members) => object): Damage =>
  when(
    isError,
    changeText((text) => JSON.stringify(change(JSON.parse(text)))),
  );
const changeErrors = (change: (errors: readonly Members[]) => readonly object[]): Damage =>
  changeProblem(({ errors, ...problem }) => ({ ...problem, ...(Array.isArray(errors) && { errors: change(errors) }) }));
const changeEachError = (change: (error: Members) => object): Damage => changeErrors((errors) => errors.map(change));

/** Takes the header away if nothing is returned, or nothing is given that changes it. */
const changeHeader = (name: string, change: (value: string) => string | undefined = () => undefined): Damage => ({
  response: (answer) => {
    const headers = new Headers(answer.headers);
    const value = headers.get(name);
    const changed = value === null ? undefined : change(value);
    if (changed === undefined) headers.delete(name);
    else headers.set(name, changed);
    return { ...answer, headers };
  },
});
const replaceHeader = (name: string, from: string | RegExp, to: string): Damage =>
  changeHeader(name, (value) => replaceIn(value, from, to));
const addHeader = (name: string, value: string): Damage => ({
  response: (answer) => ({ ...answer, headers: new Headers([...answer.headers, [name, value]]) }),
});

/** The dictionary and the OpenAPI document are Spanish, too. */
const changeDictionary = (from: string, to: string): Damage => when(urlHas('locales/es'), replaceText(from, to));
const changeDocument = (from: string | RegExp, to: string): Damage =>
  when(urlHas('openapi.es.json'), replaceText(from, to));

const changeUrl = (change: (url: string) => string): Damage => ({
  request: (request) => ({ ...request, url: change(request.url) }),
});
const dropParameters = (...names: readonly string[]): Damage =>
  changeUrl((url) => {
    const [path = '', query = ''] = url.split('?');
    const rest = query.split('&').filter((pair) => pair !== '' && !names.includes(pair.split('=')[0] ?? ''));
    return rest.length > 0 ? `${path}?${rest.join('&')}` : path;
  });
const changeBody = (change: (body: string, method: string) => string): Damage => ({
  request: ({ body, ...request }) => ({
    ...request,
    body: typeof body === 'string' ? change(body, request.method) : body,
  }),
});
const replaceBody = (from: RegExp, to: string): Damage => changeBody((body) => replaceIn(body, from, to));
const ignoreNulls = changeBody((body) => body.replaceAll(/,?"[^"]*":null/g, '').replace('{,', '{'));
const changeRequestHeaders = (
  change: (headers: readonly (readonly [string, string])[]) => readonly (readonly [string, string])[],
): Damage => ({
  request: (request) => ({ ...request, headers: Object.fromEntries(change(Object.entries(request.headers))) }),
});
const dropRequestHeader = (name: string): Damage =>
  changeRequestHeaders((headers) => headers.filter(([each]) => each !== name));

const createFaults = (rows: readonly Row[]): readonly Fault[] =>
  rows.map(([name, foundAt, damage]) => ({ name, foundAt, ...damage }));

const englishNames = ['brand', 'model', 'year', 'doors', 'sort_by', 'order', 'fields'];

export const faults = createFaults([
  ['a word of the other language', /body|status/, replaceText('"marca":', '"brand":')],
  ['a word misspelt', /body|modello/, replaceText('"modelo":', '"modello":')],
  [
    'a word in groups',
    /body/,
    changeRows((rows) => rows.map(({ total, ...row }) => (total === undefined ? row : { ...row, suma: total }))),
  ],
  ['ordenar_por ignored', /body|status|link/, dropParameters('ordenar_por')],
  ['orden ignored', /body|status|link/, dropParameters('orden')],
  ['a filter ignored', /x-total-count|body|status/, dropParameters('marca')],
  ['a range ignored', /x-total-count|body|status/, dropParameters('anio_desde')],
  ['a search ignored', /x-total-count|body|status/, dropParameters('buscar')],
  ['parts ignored', /body|status/, dropParameters('campos')],
  ['nested items ignored', /body\/aceites/, dropParameters('incluir')],
  ['foreign words ignored', /status 200 and 400|body/, dropParameters(...englishNames)],
  ['entity tags ignored', /status 200 and 304/, dropRequestHeader('if-none-match')],
  ['another order', /body/, changeRows((rows) => rows.toReversed())],
  ['the last row lost', /body/, changeRows((rows) => rows.slice(0, -1))],
  ['a number as a text', /body\/anio/, replaceText(/"anio":(\d+)/g, '"anio":"$1"')],
  [
    'null instead of nothing',
    /body\/fuel|body/,
    changeRows((rows) => rows.map((row) => ({ ...row, fuel: row.fuel ?? null }))),
  ],
  [
    'members in another order',
    /body/,
    changeRows((rows) => rows.map((row) => Object.fromEntries(Object.entries(row).toReversed()))),
  ],
  ['a missing header', /headers\/vary/, changeHeader('vary')],
  ['a wrong total', /x-total-count/, changeHeader('x-total-count', (total) => String(Number(total) + 1))],
  ['another state', /x-change/, changeHeader('x-change', (state) => `${state}0`)],
  ['a weak tag', /headers\/etag/, changeHeader('etag', (tag) => `W/${tag.replace('W/', '')}`)],
  ['an untranslated link', /headers\/link/, replaceHeader('link', 'numero_de_elementos', 'number_of_elements')],
  [
    'no link to other languages',
    /link/,
    changeHeader('link', (link) => link.replace(/(?:, )?<[^>]*>; rel="alternate"; hreflang="en"/, '') || undefined),
  ],
  ['a wrong language', /content-language/, changeHeader('content-language', () => 'en')],
  ['a method less', /headers\/allow/, replaceHeader('allow', /PATCH, |POST, /g, '')],
  [
    'an untranslated file name',
    /content-disposition/,
    changeHeader('content-disposition', (value) => value.replace('coches', 'cars').replace('aceites', 'oils')),
  ],
  ['an untranslated hint', /headers\/x-hint/, replaceHeader('x-hint', /(?<=^|&)(?:marca|modelo)=/g, 'brand=')],
  ['commas in a Spanish table', /body/, when(({ text }) => text.startsWith('\uFEFF'), replaceText(';', ','))],
  ['another status', /status 400 and 422/, changeStatus(400, 422)],
  [
    'a sentence of the other language',
    /detail/,
    changeEachError((error) => ({ ...error, detail: 'It must be a number; send brand.' })),
  ],
  [
    'another number in a sentence',
    /numbers/,
    changeProblem((problem) => ({ ...problem, detail: String(problem.detail).replace(/\d+/, '77') })),
  ],
  ['an untranslated title', /title/, changeProblem((problem) => ({ ...problem, title: 'Not found' }))],
  ['another code', /code/, changeEachError((error) => ({ ...error, code: 'invalid-value' }))],
  [
    'an untranslated place',
    /parameter/,
    changeEachError((error) => ({ ...error, parameter: error.name ?? error.parameter })),
  ],
  ['no suggestion', /suggestion/, changeEachError(({ suggestion: _, ...error }) => error)],
  ['one error only', /errors/, changeErrors((errors) => errors.slice(0, 1))],
  [
    'an operation without its identifier',
    /operationId/,
    changeDocument('"operationId":"carsList"', '"operationId":"cochesList"'),
  ],
  ['a status that is not documented', /responses/, changeDocument(/"412":\{/, '"499":{')],
  ['a limit that is documented otherwise', /maximum/, changeDocument('"maximum":2100', '"maximum":2099')],
  [
    'an untranslated address of what was created',
    /headers\/(?:content-)?location/,
    writing(replaceHeader('location', '/coches', '/cars')),
  ],
  ['a status of writes', /status 200 and 201/, writing(changeStatus(201, 200))],
  [
    'an untranslated pointer',
    /pointer/,
    writing(
      changeEachError(({ pointer, ...error }) => ({
        ...error,
        ...(typeof pointer === 'string' && {
          pointer: pointer.replace('identificador', 'identifier').replace('marca', 'brand'),
        }),
      })),
    ),
  ],
  ['a null that is ignored', /body|status/, writing(ignoreNulls)],
  [
    'a description of the other language',
    /description/,
    changeDocument(/"description":"(?:El texto|Marca)[^"]*"/, '"description":"The brand of the car."'),
  ],
  ['a wrong label', /label/, changeDictionary('"label":"Marca"', '"label":"Brand"')],
  ['two labels exchanged', /label/, changeDictionary('"label":"Modelo"', '"label":"Marca"')],
  [
    'a comma in a value is a separator',
    /body|x-total-count|x-change|link/,
    changeUrl((url) => url.replaceAll('%2C', ',').replace(/(marca=[^,&]*),[^&]*/, '$1')),
  ],
  ['a header that only errors lack', /headers/, when(hasFailed, changeHeader('x-content-type-options'))],
  ['a header that only errors have', /headers\/x-reason/, when(hasFailed, addHeader('x-reason', 'no'))],
  [
    'an alternative that is documented otherwise',
    /anyOf\/1\/minItems/,
    changeDocument('"minItems":1}]', '"minItems":2}]'),
  ],
  [
    'an untranslated value within an alternative',
    /anyOf\/1\/items\/enum/,
    changeDocument('"items":{"type":"string","enum":["ascendente"', '"items":{"type":"string","enum":["asc"'),
  ],
  [
    'a next page in the tree of the other language',
    /link|body/,
    replaceHeader('link', /<\/api\/coches([^>]*>; rel="next")/, '</api/cars$1'),
  ],
  ['a next page without its filters', /link|body/, replaceHeader('link', /marca=[^&>]*&([^>]*>; rel="next")/, '$1')],
  ['a time to wait that only one tree tells', /retry-after/, when(statusIs(404), addHeader('retry-after', '5'))],
  [
    'an entity tag of both languages',
    /etag|status 200 and 304/,
    {
      ...replaceHeader('etag', /\.es"$/, '.en"'),
      ...changeRequestHeaders((headers) =>
        headers.map(([name, value]) => [name, name.startsWith('if-') ? value.replace('.en"', '.es"') : value]),
      ),
    },
  ],
  [
    'an entity tag that is another each time',
    /status 200 and 304/,
    changeHeader('etag', (tag) => tag.replace(/"[^"]*"/, () => `"${performance.now()}.es"`)),
  ],
  ['what is gone is not found', /status 404 and 410/, changeStatus(410, 404)],
  [
    'another order by default',
    /body/,
    when(
      (_, { url }) => !url.includes('ordenar_por'),
      changeRows((rows) => rows.toReversed()),
    ),
  ],
  [
    'a total that only a filter makes wrong',
    /x-total-count/,
    when(
      urlHas('marca='),
      changeHeader('x-total-count', (total) => String(Number(total) + 1)),
    ),
  ],
  [
    'a title of the other language at one status',
    /title/,
    when(
      statusIs(406),
      changeProblem((problem) => ({ ...problem, title: 'Not acceptable' })),
    ),
  ],
  ['what has not changed says nothing of caches', /cache-control/, when(statusIs(304), changeHeader('cache-control'))],
  [
    'another order of nested items',
    /tipo|otros_datos/,
    changeText((text) =>
      text.replaceAll(/(?<="aceites":)\[\{.*?\}\]/g, (oils) => JSON.stringify(JSON.parse(oils).reverse())),
    ),
  ],
  ['HEAD without its total', /x-total-count/, when(methodIs('HEAD'), changeHeader('x-total-count'))],
  [
    'HEAD has another tag',
    /etag|HEAD/,
    when(
      methodIs('HEAD'),
      changeHeader('etag', () => 'W/"other.es"'),
    ),
  ],
  ['a method more', /headers\/allow/, when(methodIs('OPTIONS'), replaceHeader('allow', /$/, ', TRACE'))],
  ['a table without its mark', /body/, replaceText('\uFEFF', '')],
  ['a cache that keeps it', /cache-control/, changeHeader('cache-control', () => 'max-age=60')],
  [
    'a filter that minds case',
    /body|x-total-count|status|link/,
    changeUrl((url) => url.replace(/(?<=marca=)[a-z]+(?=&|$)/, 'zzz')),
  ],
  ['the first page again', /body|link/, changeUrl((url) => url.replace(/pagina=\d+/, 'pagina=1'))],
  ['a condition of writes that is ignored', /status/, writing(dropRequestHeader('if-match'))],
  [
    'another default of the number of elements',
    /body|link/,
    {
      request: (request) => {
        const { method, url } = request;
        if (method !== 'GET' || !url.includes('/api/coches') || /numero_de_elementos|%3F/.test(url)) return request;
        return { ...request, url: `${url}${url.includes('?') ? '&' : '?'}numero_de_elementos=5` };
      },
    },
  ],
  [
    'text of which letters and accents are apart',
    /body/,
    when(
      isList,
      changeText((text) => text.normalize('NFD')),
    ),
  ],
  ['a key that is shown encoded', /body/, when(isList, replaceText('"identificador":"k/', '"identificador":"k%2F'))],
  [
    'a deletion that succeeds twice',
    /status 204 and 404/,
    writing(
      when(methodIs('DELETE'), {
        response: (answer) => (answer.status === 404 ? { ...answer, status: 204, text: '' } : answer),
      }),
    ),
  ],
  ['a member that is not stored', /body|status/, writing(replaceBody(/,"version":"[^"]*"/, ''))],
  ['no tag of what was changed', /etag/, writing(when(methodIs('PATCH'), changeHeader('etag')))],
  ['a conflict that is another error', /status 400 and 409/, writing(changeStatus(409, 400))],
  ['an unknown member that is accepted', /status/, writing(replaceBody(/,?"zzzzzz":1/, ''))],
  ['media types of changes are not told', /accept-patch/, writing(changeHeader('accept-patch'))],
  ['rows of a report that count from zero', /fila/, writing(replaceText('"fila":1', '"fila":0'))],
  [
    'an untranslated column of a report',
    /columna|detalle/,
    writing(replaceText('"columna":"zzzzzz"', '"columna":"brand"')),
  ],
  ['a text with one space more', /body/, replaceText(' Sport"', '  Sport"')],
  ['a word for no value', /body/, replaceText('"climatizador":false', '"climatizador":null')],
]);

/** Faults of the Spanish tree of examples/around-hono. */
export const taskFaults = createFaults([
  ['an untranslated member', /body/, replaceText('"titulo"', '"title"')],
  ['an untranslated value', /body/, replaceText('"pendiente"', '"open"')],
  ['a member lost', /body/, replaceText(/,"vence":"[^"]*"/g, '')],
  ['a filter ignored', /body|status/, dropParameters('estado')],
  ['a row lost', /body/, changeRows((rows) => rows.slice(1))],
  ['another order', /body/, changeRows((rows) => rows.toReversed())],
  ['another media type', /content-type/, changeHeader('content-type', () => 'text/plain')],
  ['another status', /status/, changeStatus(400, 422)],
  ['an untranslated title', /title/, replaceText('Petición no válida', 'Invalid request')],
  ['an address of elsewhere', /location/, writing(replaceHeader('location', /^/, 'https://elsewhere.test'))],
  ['no address', /location/, writing(changeHeader('location'))],
  [
    'words of the names accepted',
    /body|status/,
    changeUrl((url) => url.replace('state=', 'estado=').replace('=open', '=pendiente').replace('=done', '=hecha')),
  ],
  ['a date in its local form', /vence/, replaceText(/"vence":"(\d+)-(\d+)-(\d+)"/g, '"vence":"$3/$2/$1"')],
  [
    'a default of its own',
    /estado/,
    writing(
      changeBody((body, method) =>
        method === 'POST' ? body.replace(/,"estado":"[^"]*"/, '').replace(/\}$/, ',"estado":"hecha"}') : body,
      ),
    ),
  ],
]);

/** Faults of the Spanish tree of examples/before-an-api. */
export const productFaults = createFaults([
  ['an untranslated envelope', /body/, replaceText('"datos"', '"data"')],
  ['an untranslated value', /body/, replaceText('"cafe_en_grano"', '"whole_beans"')],
  ['a wrong total', /total/, replaceText(/"total":\d+/g, '"total":99')],
  ['an untranslated link', /siguiente/, replaceText('"/productos', '"/products')],
  ['a parameter of a link untranslated', /siguiente/, replaceText('cuantos=', 'limit=')],
  ['a number as a text', /precio_por_kilo/, replaceText(/("precio_por_kilo":)([\d.]+)/g, '$1"$2"')],
  ['a number with another sign', /precio_por_kilo/, replaceText(/("precio_por_kilo":\d+\.\d)/g, '$10')],
  ['a filter ignored', /body|status/, dropParameters('clase')],
  ['a limit ignored', /body|status/, dropParameters('cuantos')],
  ['an offset ignored', /body|status/, dropParameters('desde')],
  ['an untranslated field of an error', /campo/, replaceText('"campo":"desde"', '"campo":"offset"')],
  ['an untranslated message', /mensaje/, replaceText('"no existe"', '"not found"')],
  [
    'a token that is not needed',
    /status 200 and 401/,
    changeRequestHeaders((headers) => [...headers, ['authorization', 'Bearer let-me-in']]),
  ],
  ['another status', /status 400 and 404/, changeStatus(404, 400)],
  ['a member lost', /creado_en/, replaceText(/,"creado_en":"[^"]*"/g, '')],
  ['a comma lost', /nombre/, replaceText('Café,', 'Café')],
  ['a header that only errors have', /headers/, when(hasFailed, addHeader('x-reason', 'no'))],
  ['a null that is ignored', /body|status/, writing(ignoreNulls)],
  [
    'a status of a deletion',
    /status 200 and 204/,
    writing(when(statusIs(204), { response: (answer) => ({ ...answer, status: 200, text: '{}' }) })),
  ],
  ['an untranslated address', /location/, writing(replaceHeader('location', '/productos', '/products'))],
  ['a null that is left out', /siguiente/, replaceText(/,"[^"]*siguiente[^"]*":null/, '')],
  [
    'a total that only a filter makes wrong',
    /total/,
    when(urlHas('clase='), replaceText(/"total":(\d+)/, '"total":1$1')),
  ],
  [
    'an order of its own',
    /body/,
    changeText((text) =>
      text.replace(/(?<="datos":)\[\{.*?\}\]/, (rows) => JSON.stringify(JSON.parse(rows).reverse())),
    ),
  ],
]);
