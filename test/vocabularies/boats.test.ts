/** What a client sees of an API in another vocabulary, typed out. */
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import {
  addressesOf,
  answerIssues,
  createTableSchema,
  findVocabulary,
  type Options,
  translateDocument,
  VocabularyError,
  vocabularies,
} from '../../packages/vocabularies/src/index.ts';
import { document, es, pt, recordingApp } from './boats.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function open(answer?: (request: Request) => Response | Promise<Response>, options: Partial<Options> = {}) {
  const { app, seen } = recordingApp(answer);
  return { app: vocabularies(app, { document, tables: { es, pt }, onNotice: () => {}, ...options }), seen };
}

const JSON_TYPE = { 'content-type': 'application/json' };

test.each([
  ['/barcos?tipo=vela', '/boats?kind=sail'],
  ['/barcos?tipos=vela,motor&tipos=vela%2Cmotor', '/boats?kinds=sail,motor&kinds=sail%2Cmotor'],
  ['/barcos?orden=-nombre,eslora', '/boats?sort=-name,length'],
  ['/barcos?orden=propietario.titular', '/boats?sort=owner.name'],
  ['/barcos?orden=-propietario__titular', '/boats?sort=-owner__name'],
  ["/barcos?orden=tipo+eq+'vela'+and+nombre+ne+'tipo'", '/boats?sort=kind+eq+%27sail%27+and+name+ne+%27tipo%27'],
  ['/barcos?orden=tipo==vela;eslora%3E=3', '/boats?sort=kind==sail;length%3E=3'],
  ['/barcos?orden=[nombre,eslora]', '/boats?sort=[name,length]'],
  ['/barcos?filtro[eslora][gte]=10', '/boats?filter[length][gte]=10'],
  ['/barcos?buscar=vela+nombre&x=vela', '/boats?search=vela+nombre&x=vela'],
  ['/barcos/', '/boats/'],
  ['/barcos#a?tipo=vela', '/boats'],
  ['/b%61rcos/vela', '/boats/vela'],
  ['/barcos/m%C3%ADos', '/boats/mine'],
  ['/barcos/mi%CC%81os', '/boats/mine'],
  ['/barcos/a%2Fb', '/boats/a%2Fb'],
  ['/embarca%C3%A7%C3%B5es?classe=a-motor', '/boats?kind=motor'],
])('%s is %s', async (url, canonical) => {
  const { app, seen } = open();
  await app.request(url);
  expect(seen[0]?.url).toBe(canonical);
});

test.each(['/boats?kind=sail', '/boats/vela?x=%zz', '/nothing', '/'])(
  '%s is handed over as the same object',
  async (url) => {
    const { app, seen } = open();
    const request = new Request(`http://localhost${url}`, { headers: { 'if-match': '"x.es"' } });
    await app.fetch(request);
    expect(seen[0]?.request).toBe(request);
  },
);

test.each([
  [
    'application/json',
    '{"nombre":"vela","tipo":"vela","propietario":{"titular":"x","barcos":[{"tipo":"motor"}]},"labels":{"nombre":"tipo"},"z":12.10}',
    '{"name":"vela","kind":"sail","owner":{"name":"x","boats":[{"kind":"motor"}]},"labels":{"nombre":"tipo"},"z":12.10}',
  ],
  ['application/x-ndjson', '{"nombre":1}\nnothing\n{"nombre":2}', '{"name":1}\nnothing\n{"name":2}'],
  [
    'application/x-ndjson',
    '{"nombre":"x\n{"nomb\n{"z":["\n{"z":[{\n{"nombre":2}',
    '{"name":"x\n{"nomb\n{"z":["\n{"z":[{\n{"name":2}',
  ],
  ['application/x-www-form-urlencoded', 'nombre=a+b&tipo=vela&z', 'name=a+b&kind=sail&z'],
  [
    'multipart/form-data; boundary=xx',
    '--xx\r\nContent-Disposition: form-data; name="nombre"; filename="nombre.txt"\r\n\r\nname="nombre"\r\n--xx--\r\n',
    '--xx\r\nContent-Disposition: form-data; name="name"; filename="nombre.txt"\r\n\r\nname="nombre"\r\n--xx--\r\n',
  ],
  [
    'multipart/form-data; boundary=xx',
    '--xx\r\nContent-Disposition: form-data; name="tipo"\r\n\r\nvela\r\n--xx\r\nContent-Disposition: form-data; name="propietario"\r\nContent-Type: application/json\r\n\r\n{"titular":"ñ"}\r\n--xx--\r\n',
    '--xx\r\nContent-Disposition: form-data; name="kind"\r\n\r\nsail\r\n--xx\r\nContent-Disposition: form-data; name="owner"\r\nContent-Type: application/json\r\n\r\n{"name":"ñ"}\r\n--xx--\r\n',
  ],
  [
    'multipart/form-data; boundary=xx',
    '--xx\r\nContent-Disposition: form-data; name="propietario"; filename="blob"\r\nContent-Type: application/json\r\n\r\n{"barcos":[{"tipo":"vela"}]}\r\n--xx--\r\n',
    '--xx\r\nContent-Disposition: form-data; name="owner"; filename="blob"\r\nContent-Type: application/json\r\n\r\n{"boats":[{"kind":"sail"}]}\r\n--xx--\r\n',
  ],
  [
    'application/x-www-form-urlencoded',
    'propietario={"barcos":[{"tipo":"vela"}]}&eslora=[1',
    `owner=${encodeURIComponent('{"boats":[{"kind":"sail"}]}')}&length=[1`,
  ],
  ['application/json', '{"nombre":', '{"nombre":'],
  ['application/json', '{"nombre":1,}', '{"nombre":1,}'],
  ['text/plain', '{"nombre":1}', '{"nombre":1}'],
])('a body of %s', async (type, body, canonical) => {
  const { app, seen } = open();
  await app.request('/barcos', { method: 'POST', body, headers: { 'content-type': type } });
  expect(seen[0]?.body).toBe(canonical);
});

test.each([
  ['/barcos/@mío:a', '/boats/@mine:$a'],
  ['/barcos/report.vela', '/boats/report.sail'],
  ['/barcos/report.otro', '/boats/report.otro'],
  ['/barcos/1/vela', '/boats/1/sail'],
  ['/barcos/uno.dos-3-vela.txt', '/boats/uno.dos-3-sail.txt'],
  ['/barcos/--vela.txt', '/barcos/--vela.txt'],
  // Time that grows with the third power of the length would end no more.
  [`/barcos/${'-'.repeat(8_000)}`, `/barcos/${'-'.repeat(8_000)}`],
])('%s, of which an operation calls its parameter by another name, is %s', async (url, canonical) => {
  const parameter = (name: string) => ({ parameters: [{ name, in: 'path', schema: ref('Kind') }] });
  const paths = {
    '/boats/@mine:$a': { get: { responses: {} } },
    '/boats/report.{kind}': { get: parameter('kind') },
    '/boats/{id}-{number}-{kind}.txt': { get: parameter('kind') },
    '/boats/{id}/{kind}': { put: parameter('kind') },
    '/boats/{boat}/{sort}#b': { get: parameter('sort') },
  };
  const table = { paths: { boats: 'barcos', '@mine:$a': '@mío:a' }, values: { Kind: { sail: 'vela' } } };
  const { app, seen } = open(undefined, { document: { ...document, paths }, tables: { es: table } });
  await app.request(url);
  expect(seen[0]?.url).toBe(canonical);
});

test.each([
  ['/barcos/1', '/boats/1'],
  ['/boats/barcos/1', '/boats/boats/1'],
  ['/boats/barcos/1/propietarios', '/boats/boats/1/owners'],
])('%s is %s, though the server has a path that is a word, too', async (url, canonical) => {
  const own = { ...document, servers: [{ url: 'https://example.com/boats' }] };
  const headers = { location: canonical };
  const { app, seen } = open(() => new Response(null, { headers }), { document: own });
  const answer = await app.request(url);
  expect([seen[0]?.url, answer.headers.get('location')]).toEqual([canonical, url]);
});

test('parameters that say what contents and security say are ignored, as OpenAPI has it', async () => {
  const names = ['Content-Type', 'accept', 'Authorization'];
  const parameters = names.map((name) => ({ name, in: 'header', schema: { enum: ['application/json'] } }));
  const own = structuredClone(document);
  Object.assign(own.paths['/boats'].post, { parameters });
  const table = { ...es, values: { '*': { 'application/json': 'jotasón' } } };
  const { app, seen } = open(undefined, { document: own, tables: { es: table } });
  await app.request('/barcos', { method: 'POST', headers: { ...JSON_TYPE, accept: 'application/json' }, body: '{}' });
  expect(seen[0]?.headers.get('content-type')).toBe('application/json');
  expect(JSON.stringify(translateDocument(own, table))).not.toContain('jotasón');
});

test('operations that a path tells apart by its query, or by nothing that is sent, are one', async () => {
  const answer = (schema: unknown) => ({ responses: { 200: { content: { 'application/json': { schema } } } } });
  const kind = { name: 'kind', in: 'query', schema: ref('Kind') };
  const paths = {
    '/boats?beta=true': { get: answer(ref('Boat')) },
    '/boats#owners': { get: { ...answer(ref('Owner')), parameters: [kind] } },
  };
  const table = { ...es, members: { '*': { name: 'nombre', kind: 'tipo', boats: 'barcos' } } };
  const { app, seen } = open(() => Response.json({ name: 1, kind: 'sail', boats: [{ name: 2 }] }), {
    document: { ...document, paths },
    tables: { es: table },
  });
  const received = await (await app.request('/barcos?beta=true&tipo=vela')).json();
  expect(seen[0]?.url).toBe('/boats?beta=true&kind=sail');
  expect(received).toEqual({ nombre: 1, tipo: 'vela', barcos: [{ nombre: 2 }] });
  const written = translateDocument({ ...document, paths }, table);
  expect(Object.keys(Object(written.paths))).toEqual(['/barcos?beta=true', '/barcos#owners']);
});

test.each([
  ['/barcos?kind=vela', 'unknown-parameter', { parameter: 'kind' }, 'tipo'],
  ['/barcos?classe=vela', 'unknown-parameter', { parameter: 'classe' }, 'tipo'],
  ['/barcos?tipo=sail', 'invalid-parameter', { parameter: 'tipo' }, 'vela'],
  ['/barcos?orden=-name', 'invalid-parameter', { parameter: 'orden' }, '-nombre'],
  ['/barcos?filtro[length]=1', 'unknown-parameter', { parameter: 'filtro[length]' }, 'filtro[eslora]'],
])('law 3: %s is refused', async (url, code, place, suggestion) => {
  const { app, seen } = open();
  const answer = await app.request(url);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code, errors: [{ ...place, code, suggestion }] });
  expect(seen).toEqual([]);
  expect((await open(undefined, { foreign: 'pass' }).app.request(url)).status).toBe(200);
});

test('law 3: every foreign word of a body is told, with its place', async () => {
  const { app } = open();
  const body = '{"name":1,"propietario":{"nombre":1,"barcos":[{},{"tipo":"sail"}]},"nome":2,"unknown":3}';
  const answer = await app.request('/barcos', { method: 'POST', body, headers: JSON_TYPE });
  expect(answer.status).toBe(400);
  expect(answer.headers.get('content-language')).toBe('es');
  const { errors } = (await answer.json()) as { errors: { pointer: string; suggestion: string }[] };
  expect(errors.map(({ pointer, suggestion }) => [pointer, suggestion])).toEqual([
    ['/name', 'nombre'],
    ['/propietario/barcos/1/tipo', 'vela'],
    ['/nome', 'nombre'],
  ]);
});

test.each([
  [
    '[{"op":"test","path":"/tipo","value":"vela"},{"op":"copy","from":"/nombre","path":"/propietario/barcos/-"}]',
    '[{"op":"test","path":"/kind","value":"sail"},{"op":"copy","from":"/name","path":"/owner/boats/-"}]',
  ],
  ['[{"op":"add","path":"","value":{"nombre":"kind"}}]', '[{"op":"add","path":"","value":{"name":"kind"}}]'],
  ['[{"op":"replace","path":"/kind","value":"sail"}]', ['/0/path', '/tipo', '/0/value', 'vela']],
  ['[{"op":"replace"', '[{"op":"replace"'],
])('a JSON Patch has pointers and values of what the path answers: %s', async (patch, expected) => {
  const patched = structuredClone(document);
  const requestBody = { content: { 'application/json-patch+json': { schema: { type: 'array' } } } };
  Object.assign(patched.paths['/boats/{id}'], { patch: { requestBody, responses: {} } });
  const { app, seen } = open(undefined, { document: patched });
  const headers = { 'content-type': 'application/json-patch+json' };
  const answer = await app.request('/barcos/1', { method: 'PATCH', body: patch, headers });
  const { errors = [] } = (await answer.json()) as { errors?: { pointer: string; suggestion: string }[] };
  expect(seen[0]?.body ?? errors.flatMap(({ pointer, suggestion }) => [pointer, suggestion])).toEqual(expected);
});

test('members that are parameters themselves, as the pages of Spring, may hold names', async () => {
  const paged = structuredClone(document);
  const order = { type: 'array', items: { type: 'string' } };
  const schema = { type: 'object', properties: { size: { type: 'integer' }, order } };
  Object.assign(paged.paths['/boats'].get, { parameters: [{ name: 'pageable', in: 'query', schema }] });
  const members = { ...es.members, '*': { size: 'tamaño', order: 'orden' } };
  const tables = { es: { ...es, members, names: { order: 'Boat' } } };
  const { app, seen } = open(undefined, { document: paged, tables });
  await app.request('/barcos?tama%C3%B1o=2&orden=nombre,desc&orden=eslora');
  expect(seen[0]?.url).toBe('/boats?size=2&order=name,desc&order=length');
});

test('a parameter holds names of a schema that only has a place, and is told of one that is none', async () => {
  const notices: string[] = [];
  const names = { search: '#/paths/~1boats/get/responses/200/content/application~1json/schema/items', kinds: 'Ship' };
  const options = { tables: { es: { ...es, names } }, onNotice: (notice: string) => notices.push(notice) };
  const { app, seen } = open(undefined, options);
  await app.request('/barcos?buscar=nombre');
  expect(seen[0]?.url).toBe('/boats?search=name');
  expect(notices[0]).toMatch('"#/components/schemas/Ship" leads to nothing');
});

test('law 3: a path of several vocabularies is refused with the right one', async () => {
  const answer = await open().app.request('/barcos/1/owners');
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'no-such-path', suggestion: '/barcos/1/propietarios' });
  expect((await open().app.request('/barcos/mine')).status).toBe(400);
});

test('law 4: addresses lead to the same in the words of the client', async () => {
  const headers = {
    ...JSON_TYPE,
    location: '/boats/1?x=1#y',
    'content-location': 'http://localhost/boats/mine',
    link: '</boats?kind=sail&sort=-name>; rel="next", <https://example.com/boats>; rel="about", <?kind=motor>; rel=prev',
    refresh: '5; url=/boats/1/owners',
    'set-cookie': 'a=b; Path=/boats; Secure',
  };
  const body = '{"url":"/boats/1","name":"/boats/1"}';
  const { app } = open(() => new Response(body, { status: 201, headers }));
  const answer = await app.request('/barcos', { method: 'POST', body: '{}', headers: JSON_TYPE });
  expect(answer.headers.get('location')).toBe('/barcos/1?x=1#y');
  expect(answer.headers.get('content-location')).toBe('http://localhost/barcos/m%C3%ADos');
  expect(answer.headers.get('link')).toBe(
    '</barcos?tipo=vela&orden=-nombre>; rel="next", <https://example.com/boats>; rel="about", <?tipo=motor>; rel=prev',
  );
  expect(answer.headers.get('refresh')).toBe('5; url=/barcos/1/propietarios');
  expect(answer.headers.get('set-cookie')).toBe('a=b; Path=/barcos; Secure');
  expect(await answer.text()).toBe('{"url":"/barcos/1","nombre":"/boats/1"}');
});

test.each([
  ['sesion', 'sesion'],
  ['会话', '%E4%BC%9A%E8%AF%9D'],
])('law 4: a cookie that one operation sets for another has its word: %s', async (word, sent) => {
  const cookies = structuredClone(document);
  const session = { name: 'session', in: 'cookie', schema: { type: 'string' } };
  Object.assign(cookies.paths['/boats/mine'].get, { parameters: [session] });
  const answer = () => new Response(null, { status: 303, headers: { 'set-cookie': 'session=kind; Path=/boats' } });
  const tables = { es: { ...es, parameters: { ...es.parameters, session: word } } };
  const { app, seen } = open(answer, { document: cookies, tables });
  const cookie = (await app.request('/barcos', { method: 'POST' })).headers.get('set-cookie');
  expect(cookie).toBe(`${sent}=kind; Path=/barcos`);
  await app.request('/barcos/míos', { headers: { cookie: `${sent}=kind` } });
  expect(seen[1]?.headers.get('cookie')).toBe('session=kind');
});

test.each([
  ['sesion=a; tema=oscuro; x=dark', 'session=a; theme=dark; x=dark'],
  ['session=a;sesion=b', 'session=b'],
  ['x=1; session=a', 'x=1'],
  ['session=a', null],
  ['tema=dark; sesion=b', 'session=b'],
])(
  'law 3: of cookies, which a browser sends by itself, those of another vocabulary are left out: %s',
  async (sent, seenAs) => {
    const { app, seen } = openCookies();
    expect((await app.request('/barcos/míos', { headers: { cookie: sent } })).status).toBe(200);
    expect(seen[0]?.headers.get('cookie')).toBe(seenAs);
    // A browser sends them to operations that do not declare them, too.
    await app.request('/barcos/1', { headers: { cookie: sent } });
    expect(seen[1]?.headers.get('cookie')).toBe(seenAs);
  },
);

test('law 4: a template of an address leads to the same, with its parameters in words', async () => {
  const templates = structuredClone(document);
  templates.components.schemas.Boat.properties.url.format = 'uri-template';
  const headers = {
    link: '</boats{?kind,sort*}>; rel=search, </boats?kind=sail{&search}>; rel=next',
    'link-template': '"/boats/{id}"; rel="item", "https://example.com/boats/{id}"; rel="kind", "/boats{?x,kind:3}"',
  };
  const body = { url: 'http://localhost/boats/{id}/owners', owner: { boats: [{ url: '/boats/mine' }] } };
  const answer = await open(() => Response.json(body, { headers }), { document: templates }).app.request('/barcos/1');
  expect(await answer.json()).toEqual({
    url: 'http://localhost/barcos/{id}/propietarios',
    propietario: { barcos: [{ url: '/barcos/m%C3%ADos' }] },
  });
  expect(answer.headers.get('link')).toBe(
    '</barcos{?tipo,orden*}>; rel=search, </barcos?tipo=vela{&buscar}>; rel=next',
  );
  expect(answer.headers.get('link-template')).toBe(
    '"/barcos/{id}"; rel="item", "https://example.com/boats/{id}"; rel="kind", "/barcos{?x,tipo:3}"',
  );
});

test('law 4: a listed value of a cookie has its word, and the path of every address stays', async () => {
  const paths = ['Path=/; Secure', 'Path=/boats; path=/boats/1'].map((path) => ['set-cookie', `theme=dark; ${path}`]);
  const answer = await openCookies(() => new Response(null, { headers: paths as [string, string][] })).app.request(
    '/barcos',
  );
  expect(answer.headers.getSetCookie()).toEqual([
    'tema=oscuro; Path=/; Secure',
    'tema=oscuro; Path=/barcos; path=/barcos/1',
  ]);
});

function openCookies(answer?: () => Response) {
  const cookies = structuredClone(document);
  const session = { name: 'session', in: 'cookie', schema: { type: 'string' } };
  const theme = { name: 'theme', in: 'cookie', schema: { enum: ['dark', 'light'] } };
  Object.assign(cookies.paths['/boats/mine'].get, { parameters: [session, theme] });
  Object.assign(cookies.paths, { '/': { get: { responses: {} } } });
  const parameters = { ...es.parameters, session: 'sesion', theme: 'tema' };
  const values = { ...es.values, '*': { dark: 'oscuro', light: 'claro' } };
  return open(answer, { document: cookies, tables: { es: { ...es, parameters, values } } });
}

test('law 4: an address whose path has one operation, which is not GET, has its parameters in words', async () => {
  const actions = structuredClone(document);
  const parameters = ['path', 'query'].map((location) => ({ name: 'kind', in: location, schema: ref('Kind') }));
  Object.assign(actions.paths, { '/boats/{kind}/sort': { post: { parameters, responses: {} } } });
  const headers = { location: '/boats/sail/sort?kind=sail' };
  const { app } = open(() => new Response(null, { status: 303, headers }), { document: actions });
  const answer = await app.request('/barcos');
  expect(answer.headers.get('location')).toBe('/barcos/vela/sort?tipo=vela');
});

test.each([
  ['if-match', '"a.es"', '"a"', 200],
  ['if-match', 'W/"a.es", "b", "c.es"', 'W/"a", "c"', 200],
  ['if-match', '*', '*', 200],
  ['if-match', '"a"', null, 412],
  ['if-match', '"a.pt"', null, 412],
  ['if-none-match', '"a"', null, 200],
  ['if-none-match', '"a.es"', '"a"', 200],
  ['if-range', '"a.es"', null, 200],
  ['range', 'bytes=0-1', null, 200],
] as const)('law 5: %s: %s', async (name, sent, received, status) => {
  const { app, seen } = open(
    () => new Response('{}', { headers: { ...JSON_TYPE, etag: 'W/"a"', digest: 'x', 'content-length': '2' } }),
  );
  const answer = await app.request('/barcos/1', { headers: { [name]: sent } });
  expect(answer.status).toBe(status);
  if (status === 412) expect(seen).toEqual([]);
  else expect(seen[0]?.headers.get(name)).toBe(received);
  if (status === 200) expect([...answer.headers.keys()]).not.toContain('digest');
  if (status === 200) expect(answer.headers.get('etag')).toBe('W/"a.es"');
});

const RANGE = 'bytes=0-1';
const PICTURE = { 'image/png': {}, 'application/octet-stream': { schema: { type: 'string' } } };
const IN_WORDS = { content: { 'application/json': { schema: ref('Boat') } } };

test.each([
  ['a picture', { 200: { content: PICTURE }, 404: IN_WORDS }, undefined, [RANGE, null, 'bytes 0-1/9']],
  ['a picture', { 200: { content: PICTURE } }, '"a.es"', [RANGE, '"a"', 'bytes 0-1/9']],
  [
    'a picture',
    { 200: { content: PICTURE } },
    'Fri, 27 Nov 2026 00:00:00 GMT',
    [RANGE, 'Fri, 27 Nov 2026 00:00:00 GMT', 'bytes 0-1/9'],
  ],
  ['a picture with the tag of another vocabulary', { 200: { content: PICTURE } }, '"a"', [null, null, 'bytes 0-1/9']],
  ['nothing that is described', {}, undefined, [RANGE, null, 'bytes 0-1/9']],
  [
    'a picture or words',
    { 200: { content: { ...PICTURE, ...IN_WORDS.content } } },
    undefined,
    [null, null, 'bytes 0-1/9'],
  ],
  ['whatever', { '2XX': { content: { '*/*': { schema: ref('Boat') } } } }, '"a.es"', [null, null, 'bytes 0-1/9']],
] as const)(
  'law 5: a part of %s is asked for only if it is not translated',
  async (_, responses, condition, expected) => {
    const headers = { 'content-type': 'image/png', 'content-range': 'bytes 0-1/9', etag: '"a"' };
    const paths = { '/boats/{id}': { get: { responses } } };
    const { app, seen } = open(() => new Response('ab', { status: 206, headers }), {
      document: { ...document, paths },
    });
    const sent = { range: RANGE, ...(condition === undefined ? {} : { 'if-range': condition }) };
    const answer = await app.request('/barcos/1', { headers: sent });
    const asked = seen[0]?.headers;
    expect([asked?.get('range'), asked?.get('if-range'), answer.headers.get('content-range')]).toEqual(expected);
    expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([206, '"a.es"', 'ab']);
  },
);

test('law 5: an answer in another coding is 502, gzip is unpacked, and HEAD has the headers of GET', async () => {
  const packed = () =>
    new Response(new Blob(['{"name":1}']).stream().pipeThrough(new CompressionStream('gzip')), {
      headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    });
  expect(await (await open(packed).app.request('/barcos/1')).text()).toBe('{"nombre":1}');
  const unknown = () => new Response('x', { headers: { ...JSON_TYPE, 'content-encoding': 'br' } });
  expect((await open(unknown).app.request('/barcos/1')).status).toBe(502);
  expect((await open(unknown).app.request('/boats/1')).status).toBe(200);
  const head = await open(
    () => new Response(null, { headers: { ...JSON_TYPE, 'content-length': '9', etag: '"a"' } }),
  ).app.request('/barcos/1', { method: 'HEAD' });
  expect([head.status, head.headers.get('etag'), head.headers.get('content-length'), await head.text()]).toEqual([
    200,
    '"a.es"',
    null,
    '',
  ]);
});

test('law 6: a list is translated as it comes, and ends where the client leaves it', async () => {
  let count = 0;
  let isCancelled = false;
  const body = () =>
    new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        controller.enqueue(new TextEncoder().encode(`${count++ === 0 ? '[' : ','}{"name":${count}}`));
      },
      cancel() {
        isCancelled = true;
      },
    });
  const answer = await open(() => new Response(body(), { headers: JSON_TYPE })).app.request('/barcos');
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  expect(new TextDecoder().decode(first?.value as Uint8Array)).toBe('[{"nombre":1}');
  await reader?.cancel();
  expect(isCancelled).toBe(true);
  expect(count).toBeLessThan(5);
});

test('law 6: a body that is too long to be held is refused when a foreign word comes', async () => {
  const start = `{"labels":{"a":"${'x'.repeat(200_000)}"},`;
  const { app } = open(async (request) => new Response(await request.text()));
  const stream = (text: string) =>
    ReadableStream.from([text.slice(0, 150_000), text.slice(150_000)].map((part) => new TextEncoder().encode(part)));
  const send = (text: string, headers: Record<string, string> = JSON_TYPE) =>
    app.fetch(
      new Request('http://localhost/barcos', {
        method: 'POST',
        body: stream(text),
        headers,
        duplex: 'half',
      } as RequestInit),
    );
  expect((await send(`${start}"nombre":1}`)).status).toBe(200);
  const refused = await send(`${start}"name":1}`);
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/name', suggestion: 'nombre' }] });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const last = await send(`${'nombre=x&'.repeat(20_000)}name=1`, form);
  expect(await last.json()).toMatchObject({ errors: [{ parameter: 'name', suggestion: 'nombre' }] });
});

/** @returns the bytes of a text in gzip, as they come */
function pack(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
}

function post(body: unknown, coding: string, path = '/barcos'): Request {
  const headers = { ...JSON_TYPE, 'content-encoding': coding };
  return new Request(`http://localhost${path}`, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
}

test('a body in gzip is handed over in names and in no coding, however long it is', async () => {
  const { app, seen } = open(async (request) => Response.json({ kind: await request.text() }, { status: 201 }));
  for (const [filler, coding] of [
    ['', 'gzip'],
    ['x'.repeat(300_000), 'X-GZIP'],
  ] as const) {
    const answer = await app.fetch(post(pack(`{"labels":{"a":"${filler}"},"nombre":"ñ"}`), coding));
    expect(await answer.json()).toEqual({ tipo: `{"labels":{"a":"${filler}"},"name":"ñ"}` });
    expect([seen.at(-1)?.headers.get('content-encoding'), answer.status]).toEqual([null, 201]);
  }
  const foreign = await app.fetch(post(pack('{"name":1}'), 'gzip'));
  expect(await foreign.json()).toMatchObject({ status: 400, errors: [{ pointer: '/name', suggestion: 'nombre' }] });
});

test('a body in gzip is unpacked as the API reads it, and left where the API leaves it', async () => {
  let count = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(resolve));
      const letters = crypto.getRandomValues(new Uint8Array(32_768)).toHex();
      controller.enqueue(new TextEncoder().encode(count++ === 0 ? `{"labels":{"a":"${letters}` : letters));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const fetch = async (request: Request) => {
    const reader = request.body?.getReader();
    for (let read = 0; read < 500_000; ) read += (await reader?.read())?.value?.length ?? Number.NaN;
    await reader?.cancel();
    return new Response(null, { status: 204 });
  };
  const app = vocabularies({ fetch }, { document, tables: { es }, onNotice: () => {} });
  const answer = await app.fetch(post(endless.pipeThrough(new CompressionStream('gzip')), 'gzip'));
  expect(answer.status).toBe(204);
  await expect.poll(() => isCancelled).toBe(true);
  expect(count).toBeLessThan(100);
});

test.each([
  ['es', '/barcos', 'gzip', '{"nombre":1}', 400, 'malformed-body', 'El contenido no está en la codificación que dice.'],
  ['en', '/embarcações', 'gzip', '{"nome":1}', 400, 'malformed-body', 'The body is not in the coding that it says.'],
  [
    'es',
    '/barcos',
    'br',
    '{"nombre":1}',
    415,
    'unsupported-coding',
    'El contenido está en una codificación que no se puede traducir; envíelo en gzip, o sin codificar.',
  ],
])(
  '%s: a body at %s in %s that cannot be read is refused',
  async (language, path, coding, body, status, code, detail) => {
    const { app, seen } = open();
    const answer = await app.fetch(post(body, coding, path));
    expect(await answer.json()).toMatchObject({ status, code, detail });
    expect([answer.status, answer.headers.get('content-language')]).toEqual([status, language]);
    expect(answer.headers.get('accept-encoding')).toBe(status === 415 ? 'gzip' : null);
    expect(seen).toEqual([]);
  },
);

test('a long body in gzip that breaks off is refused, too', async () => {
  const packed = new Uint8Array(
    await new Response(
      pack(`{"labels":{"a":"${crypto.getRandomValues(new Uint8Array(60_000)).toHex()}"}}`),
    ).arrayBuffer(),
  );
  const { app } = open(async (request) => new Response(await request.text()));
  const answer = await app.fetch(post(packed.fill(0, 50_000), 'gzip'));
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'malformed-body' }]);
});

test('codings of a body in names, and of one that is not described, pass', async () => {
  const { app, seen } = open(async (request) => new Response(await request.text()));
  await app.fetch(post('x', 'br', '/boats'));
  const plain = post('x', 'br');
  plain.headers.set('content-type', 'image/png');
  expect(await (await app.fetch(plain)).text()).toBe('x');
  expect(seen.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'br']);
});

test('law 7: what no double holds comes out as it went in, at any depth', async () => {
  const deep = `${'[{"owner":'.repeat(0)}${'{"owner":{"boats":['.repeat(5000)}1533947986218845197${']}}'.repeat(5000)}`;
  const { app } = open(() => new Response(deep, { headers: JSON_TYPE }));
  const answer = await (await app.request('/barcos/1')).text();
  expect(answer).toBe(deep.replaceAll('owner', 'propietario').replaceAll('boats', 'barcos'));
  const odd = '{"__proto__":{"name":1},"constructor":1e400,"name":-0,"name":"\\u0041","n\\u0061me":2}';
  const other = await (await open(() => new Response(odd, { headers: JSON_TYPE })).app.request('/barcos/1')).text();
  expect(other).toBe('{"__proto__":{"name":1},"constructor":1e400,"nombre":-0,"nombre":"\\u0041","nombre":2}');
});

test('law 8: the document in words', () => {
  const written = JSON.parse(JSON.stringify(translateDocument(document, es, 'es')));
  expect(Object.keys(written.paths)).toEqual(['/barcos', '/barcos/{id}', '/barcos/míos', '/barcos/{id}/propietarios']);
  expect(written.paths['/barcos'].get.operationId).toBe('listBoats');
  expect(written.paths['/barcos'].get.parameters.map(({ name }: { name: string }) => name)).toEqual([
    'tipo',
    'tipos',
    'orden',
    'filtro',
    'buscar',
  ]);
  expect(written.components.schemas.Kind.enum).toEqual(['vela', 'motor']);
  expect(Object.keys(written.components.schemas.Boat.properties)).toEqual([
    'nombre',
    'tipo',
    'eslora',
    'propietario',
    'url',
    'labels',
  ]);
});

test('server-sent events and the header of a CSV file', async () => {
  const events = ': name\nid: name\ndata: {"name":1}\n\nevent: name\ndata:{"boats":[\ndata: {"kind":"sail"}]}\n\n';
  const { app } = open(() => new Response(events, { headers: { 'content-type': 'text/event-stream' } }));
  expect(await (await app.request('/barcos/1/propietarios')).text()).toBe(
    ': name\nid: name\ndata: {"titular":1}\n\nevent: name\ndata:{"barcos":[\ndata: {"tipo":"vela"}]}\n\n',
  );
  const { app: csv } = open(
    () => new Response('name,"boats",x\nname,boats,x\n', { headers: { 'content-type': 'text/csv' } }),
  );
  expect(await (await csv.request('/barcos/1/propietarios')).text()).toBe('titular,"barcos",x\nname,boats,x\n');
});

test('problems of the API name places in words, and have the sentences of the table', async () => {
  const problem = {
    title: 'Too long',
    code: 'too-long',
    detail: 'A boat is at most 99 m long.',
    most: 99,
    errors: [
      { pointer: '/owner/boats/0/length', code: 'too-long', most: 5, detail: 'x' },
      { parameter: 'kind', detail: 'y' },
      { path: ['owner', 'name'], loc: ['body', 'length'] },
      { loc: ['body', 'sail', 'length'] },
    ],
  };
  const { app } = open(() => Response.json(problem, { status: 400, headers: { 'content-language': 'en' } }));
  const answer = await app.request('/barcos', { method: 'POST', body: '{}', headers: JSON_TYPE });
  expect(await answer.json()).toEqual({
    title: 'Demasiado larga',
    code: 'too-long',
    detail: 'La eslora no puede pasar de 99 m.',
    most: 99,
    errors: [
      {
        pointer: '/propietario/barcos/0/eslora',
        code: 'too-long',
        most: 5,
        detail: 'La eslora no puede pasar de 5 m.',
      },
      { parameter: 'kind', detail: 'y' },
      { path: ['propietario', 'titular'], loc: ['body', 'eslora'] },
      { loc: ['body', 'vela', 'eslora'] },
    ],
  });
  // One sentence is left in English.
  expect(answer.headers.get('content-language')).toBe('en');
});

test('a vocabulary by prefix, host, header or a function', async () => {
  const location = () => Response.json({ name: 1 }, { headers: { location: '/boats/1' } });
  const by = (select: NonNullable<Options['select']>) => open(location, { select, language: 'en' }).app;
  const prefix = await by('prefix').request('/es/barcos/1');
  expect([await prefix.text(), prefix.headers.get('location')]).toEqual(['{"nombre":1}', '/es/barcos/1']);
  expect(await (await by('host').request('http://es.example.com/barcos/1')).text()).toBe('{"nombre":1}');
  const header = await by('header').request('/barcos/1', { headers: { 'accept-language': 'es-ES,en;q=0.5' } });
  expect([await header.text(), header.headers.get('vary')]).toEqual(['{"nombre":1}', 'Accept-Language']);
  const related = await open(location, { select: 'header', language: 'en', tables: { 'es-MX': es } }).app.request(
    '/barcos/1',
    {
      headers: { 'accept-language': 'de, es;q=0.5' },
    },
  );
  expect(await related.text()).toBe('{"nombre":1}');
  const canonical = await by('header').request('/boats/1', { headers: { 'accept-language': 'en' } });
  expect([await canonical.text(), canonical.headers.get('vary')]).toEqual(['{"name":1}', 'Accept-Language']);
  expect((await by('header').request('/boats/1', { headers: { 'accept-language': 'es' } })).status).toBe(400);
  expect(
    await (
      await by((request) => request.headers.get('x-words') ?? undefined).request('/barcos/1', {
        headers: { 'x-words': 'es' },
      })
    ).text(),
  ).toBe('{"nombre":1}');
});

test('at a mount path, below a base path, with checks inside', async () => {
  const api = new Hono();
  api.use('/boats/*', async (c, next) => (c.req.header('authorization') ? next() : c.json({ title: 'no' }, 401)));
  api.get('/boats/:id', (c) => c.json({ name: c.req.param('id'), tag: findVocabulary(c.req.raw)?.tag }));
  api.onError((error, c) => c.json({ title: error.message }, 500));
  const wrapped = vocabularies(api, { document, tables: { es }, onNotice: () => {} });
  const mounted = new Hono().route('/x', wrapped);
  const below = new Hono().basePath('/y').route('/', wrapped);
  const authorization = { headers: { authorization: 'x' } };
  expect(await (await mounted.request('/x/barcos/1', authorization)).text()).toBe('{"nombre":"1","tag":"es"}');
  expect(await (await mounted.request('/x/boats/1', authorization)).text()).toBe('{"name":"1"}');
  expect(await (await below.request('/y/barcos/1', authorization)).text()).toBe('{"nombre":"1","tag":"es"}');
  for (const path of [
    '/x/barcos/1',
    '/x/boats/1',
    '/x/b%61rcos/1',
    '/x/./barcos/1',
    '/x//barcos/1',
    '/x/y/../barcos/1',
    '/x/barcos//1',
    '/x/barcos/%31',
  ]) {
    expect([401, 404], path).toContain((await mounted.request(path)).status);
  }
  const own = new Hono().basePath('/api');
  own.get('/boats/:id', (c) => c.json({ name: c.req.param('id') }));
  const withServer = { ...document, servers: [{ url: 'https://example.com/api' }] };
  expect(
    await (
      await vocabularies(own, { document: withServer, tables: { es }, onNotice: () => {} }).request('/api/barcos/1')
    ).text(),
  ).toBe('{"nombre":"1"}');
});

test.each([
  ['GET', '/barcos', 'X-Slack-Signature', 400],
  ['GET', '/barcos/1', 'X-Slack-Signature', 200],
  ['PUT', '/barcos/1', 'X-Hmac-SHA256', 400],
  ['GET', '/barcos/1', 'X-Hmac-SHA256', 200],
  ['GET', '/barcos/1', 'X-Signed', 400],
  ['GET', '/boats', 'X-Slack-Signature', 200],
])('%s %s with %s, which signs what its operation or a setting says: %i', async (method, path, name, status) => {
  const signed = structuredClone(document);
  Object.assign(signed.components, {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Hmac-SHA256' } },
  });
  Object.assign(signed.paths['/boats/{id}'].put, { security: [{ key: [] }] });
  signed.paths['/boats'].get.parameters.push({ name: 'X-Slack-Signature', in: 'header', schema: {} });
  const { app } = open(undefined, { document: signed, signatures: ['x-signed'] });
  const answer = await app.request(path, { method, headers: { [name]: 'x' } });
  const { code } = (await answer.json()) as { code?: string };
  expect([answer.status, code]).toEqual([status, status === 400 ? 'signed-request' : undefined]);
});

test('a key that the security of operations asks for in the query has its word, in the document, too', async () => {
  const securitySchemes = { key: { type: 'apiKey', in: 'query', name: 'api_key' } };
  const own = { ...document, security: [{ key: [] }], components: { ...document.components, securitySchemes } };
  const table = { ...es, parameters: { ...es.parameters, api_key: 'clave' } };
  const { app, seen } = open(undefined, { document: own, tables: { es: table } });
  await app.request('/barcos?clave=tipo');
  expect(seen).toMatchObject([{ url: '/boats?api_key=tipo' }]);
  expect(await (await app.request('/barcos?api_key=1')).json()).toMatchObject({
    errors: [{ parameter: 'api_key', suggestion: 'clave' }],
  });
  expect(translateDocument(own, table)).toMatchObject({ components: { securitySchemes: { key: { name: 'clave' } } } });
});

test.each([
  ['/x', {}],
  ['/api/v1', { servers: [{ url: 'https://example.com/api/v1' }] }],
])('mounted at %s, what the API writes without it leads there', async (mount, more) => {
  const headers = { location: '/boats/1', link: `<http://localhost/boats>; rel=up, <${mount}/boats/2>; rel=next` };
  const answer = () => Response.json({ url: '/boats/1/owners' }, { status: 201, headers });
  const { app, seen } = open(answer, { document: { ...document, ...more } });
  const mounted = new Hono().route(mount, app);
  const body = `{"url":"${mount}/barcos/3"}`;
  const created = await mounted.request(`${mount}/barcos`, { method: 'POST', headers: JSON_TYPE, body });
  expect(seen[0]).toMatchObject({ url: '/boats', body: '{"url":"/boats/3"}' });
  expect(created.headers.get('location')).toBe(`${mount}/barcos/1`);
  const links = `<http://localhost${mount}/barcos>; rel=up, <${mount}/barcos/2>; rel=next`;
  expect(created.headers.get('link')).toBe(links);
  expect(await created.json()).toEqual({ url: `${mount}/barcos/1/propietarios` });
});

test('every address of an operation', () => {
  const of = (id: string) => addressesOf(document, { es }).filter(({ operation }) => operation === id);
  expect(of('owners')).toEqual([
    { operation: 'owners', method: 'GET', vocabulary: '', path: '/boats/{id}/owners' },
    { operation: 'owners', method: 'GET', vocabulary: 'es', path: '/barcos/{id}/propietarios' },
  ]);
});

test('two vocabularies that share a path stop the start, unless something else selects one', () => {
  const tables = { es, gl: { paths: { boats: 'barcos', owners: 'propietarios', mine: 'míos' } } };
  const { app } = recordingApp();
  expect(() => vocabularies(app, { document, tables })).toThrow(VocabularyError);
  expect(() => vocabularies(app, { document, tables, select: 'prefix', onNotice: () => {} })).not.toThrow();
});

test.each([
  [{ swagger: '2.0' }, { es }, ['document #/openapi']],
  [{ ...document, paths: [] }, { es }, ['document #/paths']],
  [
    { ...document, paths: { boats: {}, '/boats': { get: 7 } } },
    { es },
    ['document #/paths/boats', 'document #/paths/~1boats/get'],
  ],
  [
    document,
    { es: { path: {}, members: { Boat: { name: 1, kind: 'eslora', length: 'eslora' } }, paths: { boats: 'a/b' } } },
    ['es /path', 'es /paths/boats', 'es /members/Boat/name', 'es /members/Boat/length'],
  ],
  [
    document,
    {
      es: {
        paths: 'barcos',
        parameters: { kind: { word: 'tipo' }, sort: {}, listBoats: { kind: 7 }, search: ['buscar'] },
        values: { Kind: 'vela' },
        problems: { 'too-long': { title: 'Larga', text: 'Larga' }, gone: 'No está' },
        names: { sort: ['Boat'] },
        convert: { Boat: { length: { toWords: Number } }, Owner: { name: 'metros' } },
      },
    },
    [
      'es /paths',
      'es /parameters/kind',
      'es /parameters/sort',
      'es /parameters/listBoats/kind',
      'es /parameters/search',
      'es /values/Kind',
      'es /problems/too-long/text',
      'es /problems/gone',
      'es /names/sort',
      'es /convert/Boat/length',
      'es /convert/Owner/name',
    ],
  ],
  [
    { ...document, components: { schemas: { ...document.components.schemas, Kind: { $ref: 'other.yaml#/Kind' } } } },
    { es: {} },
    ['document #/components/schemas/Kind'],
  ],
])('a start with faults', (given, tables, expected) => {
  try {
    vocabularies(recordingApp().app, { document: given, tables, onNotice: () => {} });
    expect.unreachable();
  } catch (error) {
    expect((error as VocabularyError).faults.map(({ file, pointer }) => `${file} ${pointer}`)).toEqual(expected);
  }
});

test('fifty requests at once in three vocabularies do not mix', async () => {
  const { app } = open(async (request) => Response.json({ name: new URL(request.url).searchParams.get('search') }));
  const ask = async (at: number) => {
    const [path, member] =
      at % 3 === 0
        ? ['/barcos/1?buscar', 'nombre']
        : at % 3 === 1
          ? ['/embarca%C3%A7%C3%B5es/1?search', 'nome']
          : ['/boats/1?search', 'name'];
    expect(Object.keys(Object(await (await app.request(`${path}=${at}`)).json()))).toEqual([member]);
  };
  await Promise.all(Array.from({ length: 50 }, (_, at) => ask(at)));
});

test('an answer that came whole is not told to come in parts', async () => {
  const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
  const { app } = open(() => new Response(new Response('{"name":1}').body, { headers }));
  expect((await app.request('/barcos/1')).headers.has('transfer-encoding')).toBe(false);
});

test('what only looks like an address is none', async () => {
  const changed = structuredClone(document);
  changed.components.schemas.Boat.properties.url.format = 'uri';
  const { app } = open(() => Response.json({ url: 'none', owner: { boats: [{ url: '/boats/1' }] } }), {
    document: changed,
  });
  const expected = { url: 'none', propietario: { barcos: [{ url: '/barcos/1' }] } };
  expect(await (await app.request('/barcos/1')).json()).toEqual(expected);
});

test('the head of a stream does not wait for its first event', async () => {
  const silent = () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
  const answer = await open(silent).app.request('/barcos/1/propietarios');
  expect(answer.status).toBe(200);
  await answer.body?.cancel();
});

test('names without a word, and words without a name, are told once', () => {
  const notices: string[] = [];
  const tables = { es: { members: { Boat: { name: 'nombre', nothing: 'nada' } } } };
  open(undefined, { tables, onNotice: (notice) => notices.push(notice) });
  expect(notices).toEqual([
    'es: the document has no name for /members/Boat/nothing',
    'es: no path has a word, so that no request is in this vocabulary; select it by something else',
    expect.stringMatching(
      /^es: there is no word for .*boats, sail, motor, .*title, code, detail, errors, pointer, parameter, id$/,
    ),
  ]);
});

test('an answer that the document does not describe passes, and is told once', async () => {
  const notices: string[] = [];
  const { app } = open(() => Response.json({ name: 1 }, { status: 203 }), {
    onNotice: (notice) => notices.push(notice),
  });
  notices.length = 0;
  for (let at = 0; at < 3; at++) expect(await (await app.request('/barcos/1')).text()).toBe('{"name":1}');
  expect(notices).toEqual([
    'the document does not describe GET /boats/{id} 203 application/json, which is answered as it is',
  ]);
});

test('a schema of the table completes the names of the document', () => {
  const { properties } = createTableSchema(document) as never as Record<string, Record<string, { properties: object }>>;
  expect(Object.keys(properties?.paths?.properties ?? {})).toEqual(['boats', 'mine', 'owners']);
  expect(Object.keys(properties?.members?.properties ?? {})).toContain('Boat');
  expect(Object.keys(Object(properties?.members?.properties).Boat.properties)).toEqual([
    'name',
    'kind',
    'length',
    'owner',
    'url',
    'labels',
  ]);
});

test('issues of zod, in a list or in a text, name their places and the values that could stand there in words', async () => {
  const issues = [
    {
      code: 'invalid_value',
      values: ['sail', 'motor'],
      path: ['owner', 'boats', 0, 'kind'],
      message: 'Invalid option',
    },
    { input: 'sail', loc: ['body', 'kind'] },
    { pointer: '/kind', value: 'sail' },
    { options: ['name'], path: [] },
  ];
  const expected = JSON.parse(
    JSON.stringify(issues)
      .replace('"owner","boats",0,"kind"', '"propietario","barcos","0","tipo"')
      .replace('"body","kind"', '"body","tipo"')
      .replace('/kind', '/tipo')
      .replaceAll('"sail"', '"vela"'),
  );
  const { app } = open(() => Response.json({ issues, error: { message: JSON.stringify(issues) } }, { status: 400 }));
  const answer = await app.request('/barcos', { method: 'POST', body: '{}', headers: JSON_TYPE });
  const { issues: list, error } = (await answer.json()) as { issues: unknown; error: { message: string } };
  expect(JSON.parse(JSON.stringify(list).replace(',0,', ',"0",'))).toEqual(expected);
  expect(JSON.parse(error.message.replace(',0,', ',"0",'))).toEqual(expected);
});

test('what a problem repeats of the body has its words, and what only looks like a part of a problem stays', async () => {
  const owner = { name: 'a b', path: 'kind', title: 'c d', boats: [{ kind: 'sail' }] };
  const detail = [
    { type: 'missing', loc: ['body', 'owner', 'x'], msg: 'Field required', input: owner },
    { type: 'too_long', loc: ['body', 'owner', 'boats'], msg: 'x', input: [{ name: 1 }] },
  ];
  const { app } = open(() => Response.json({ detail }, { status: 422 }));
  const answer = await app.request('/barcos', { method: 'POST', body: '{}', headers: JSON_TYPE });
  expect(await answer.json()).toEqual({
    detail: [
      {
        ...detail[0],
        loc: ['body', 'propietario', 'x'],
        input: { titular: 'a b', path: 'kind', title: 'c d', barcos: [{ tipo: 'vela' }] },
      },
      { ...detail[1], loc: ['body', 'propietario', 'barcos'], input: [{ nombre: 1 }] },
    ],
  });
});

test.each([
  [
    'Django REST framework',
    { name: ['This field is required.'], owner: { name: ['Too long.'] }, non_field_errors: ['No.'] },
    { nombre: ['This field is required.'], propietario: { titular: ['Too long.'] }, non_field_errors: ['No.'] },
  ],
  [
    'Laravel and Rails',
    { message: 'Not valid.', errors: { kind: ['sail'], length: 'is too long', owner: { name: 'is empty' } } },
    { message: 'Not valid.', errors: { tipo: ['sail'], eslora: 'is too long', propietario: { titular: 'is empty' } } },
  ],
  [
    'Laravel, of parts',
    { errors: { 'owner.name': ['x y'], 'owner.boats.0.kind': ['sail'], 'owner.x': ['name'], '__proto__.kind': ['x'] } },
    {
      errors: {
        'propietario.titular': ['x y'],
        'propietario.barcos.0.tipo': ['sail'],
        'propietario.x': ['name'],
        '__proto__.kind': ['x'],
      },
    },
  ],
  [
    'Express',
    { error: { message: 'Not valid.', field: 'length' } },
    { error: { message: 'Not valid.', field: 'eslora' } },
  ],
  [
    'express-validator',
    { errors: [{ type: 'field', path: 'owner.boats[0].kind', value: 'sail', msg: 'No.' }] },
    { errors: [{ type: 'field', path: 'propietario.barcos[0].tipo', value: 'vela', msg: 'No.' }] },
  ],
  [
    'FastAPI',
    { detail: [{ type: 'too-long', loc: ['body', 'Boat', 'owner', 'Owner', 'name'], msg: 'Too long.', most: 9 }] },
    {
      detail: [
        {
          type: 'too-long',
          loc: ['body', 'Boat', 'propietario', 'Owner', 'titular'],
          msg: 'La eslora no puede pasar de 9 m.',
          most: 9,
        },
      ],
    },
  ],
  ['Ajv', [{ instancePath: '/owner/boats/0/kind' }], [{ instancePath: '/propietario/barcos/0/tipo' }]],
  [
    'Valibot',
    {
      data: { name: 'sail', kind: 'sail', owner: { name: 1 } },
      error: [
        {
          path: [
            { key: 'owner', input: { name: 'kind', owner: { name: 1 } }, value: { name: 1 } },
            { key: 'name', input: { name: 1 }, value: 1 },
          ],
        },
      ],
      success: false,
    },
    {
      data: { nombre: 'sail', tipo: 'vela', propietario: { titular: 1 } },
      error: [
        {
          path: [
            { key: 'propietario', input: { nombre: 'kind', propietario: { titular: 1 } }, value: { titular: 1 } },
            { key: 'titular', input: { titular: 1 }, value: 1 },
          ],
        },
      ],
      success: false,
    },
  ],
])('what is wrong is named in words as %s writes it', async (_, problem, expected) => {
  const { app } = open(() => Response.json(problem, { status: 422 }));
  const answer = await app.request('/barcos', { method: 'POST', body: '{}', headers: JSON_TYPE });
  expect(await answer.json()).toEqual(expected);
});

test('a validator repeats parameters in words', async () => {
  const problem = { data: { kind: 'sail', x: '1' }, error: [{ path: ['kind'], message: 'x' }], success: false };
  const answer = await open(() => Response.json(problem, { status: 400 })).app.request('/barcos');
  expect(await answer.json()).toEqual({
    ...problem,
    data: { tipo: 'vela', x: '1' },
    error: [{ path: ['tipo'], message: 'x' }],
  });
});

/** The boats with a parameter whose name has brackets, as in JSON:API. */
function openPaged(answer?: () => Response) {
  const paged = structuredClone(document);
  paged.paths['/boats'].get.parameters.push({ name: 'page[number]', in: 'query', schema: {} });
  const tables = { es: { ...es, parameters: { ...es.parameters, 'page[number]': 'página[número]' } } };
  return open(answer, { document: paged, tables }).app;
}

test('law 3: a name with brackets is refused as a whole', async () => {
  const answer = await openPaged().request('/barcos?page[number]=1');
  expect(await answer.json()).toMatchObject({ code: 'unknown-parameter', errors: [{ suggestion: 'página[número]' }] });
});

test.each([
  ['kind', 'tipo'],
  ['filter[length][gte]', 'filtro[eslora][gte]'],
  ['page[number]', 'página[número]'],
  ['nothing[length]', 'nothing[length]'],
])('the parameter %s of a problem is %s', async (parameter, word) => {
  const app = openPaged(() => Response.json({ errors: [{ source: { parameter } }] }, { status: 400 }));
  expect(await (await app.request('/barcos')).json()).toEqual({ errors: [{ source: { parameter: word } }] });
});

test('what the document says of a part of a problem goes before what it looks like', async () => {
  const described = structuredClone(document);
  Object.assign(described.components.schemas.Problem.properties, { boat: ref('Boat') });
  const { app } = open(() => Response.json({ boat: { name: {}, kind: {} } }, { status: 400 }), { document: described });
  expect(await (await app.request('/barcos')).json()).toEqual({ boat: { nombre: {}, tipo: {} } });
});

test('a problem may be as deep as it likes', async () => {
  const text = `{"errors":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  const { app } = open(() => new Response(text, { status: 400, headers: JSON_TYPE }));
  expect(await (await app.request('/barcos')).text()).toBe(text);
});

test('a problem that repeats a deep body takes no longer for being deep', async () => {
  const deep = `${'["",'.repeat(90_000)}0${']'.repeat(90_000)}`;
  const problem = `{"input":${deep}}`;
  const { app } = open(() => new Response(problem, { status: 400, headers: JSON_TYPE }));
  expect((await (await app.request('/barcos')).text()) === problem).toBe(true);
});

test('foreign words of a deep body are told with their places, and take no longer for being deep', async () => {
  const body = `${'{"owner":{"boats":['.repeat(3_000)}{"name":1}${']}}'.repeat(3_000)}`;
  const answer = await open().app.request('/barcos', { method: 'POST', body, headers: JSON_TYPE });
  const { errors } = (await answer.json()) as { errors: { pointer: string }[] };
  expect(errors.slice(0, 3).map(({ pointer }) => pointer)).toEqual(['/owner', '/owner/boats', '/owner/boats/0/owner']);
  expect(errors).toHaveLength(100);
});

test('the place in a list of lists has an end', async () => {
  const own = structuredClone(document);
  const Lists = { anyOf: [{ type: 'string' }, { type: 'array', items: ref('Lists') }] };
  Object.assign(own.components.schemas, { Lists, Boat: ref('Lists') });
  const problem = { errors: [{ pointer: '/0/1' }, { loc: ['body', '2', 'x'] }] };
  const { app } = open(() => Response.json(problem, { status: 400 }), { document: own, tables: { pt } });
  const answer = await app.request('/embarcações', { method: 'POST', body: '[]', headers: JSON_TYPE });
  expect(await answer.json()).toEqual(problem);
});

test('half a surrogate pair in a problem stays', async () => {
  const errors = [
    { parameter: 'kind', value: '\ud800' },
    { parameter: 'a[\ud800' },
    { parameter: 'kind', value: 'sail' },
  ];
  const { app } = open(() => Response.json({ errors }, { status: 400 }));
  expect(await (await app.request('/barcos')).json()).toEqual({
    errors: [{ parameter: 'tipo', value: '\ud800' }, { parameter: 'a[\ud800' }, { parameter: 'tipo', value: 'vela' }],
  });
});

test.each([
  ['/boats?sort=owner.\ud800', '/barcos?orden=propietario.%EF%BF%BD'],
  ['/boats/mine/\ud800sail', '/barcos/m%C3%ADos/\ud800sail'],
])('half a surrogate pair stands in no address: %j is %j', async (url, words) => {
  const own = structuredClone(document);
  const parameters = ['id', 'kind'].map((name) => ({ name, in: 'path', schema: ref('Kind') }));
  Object.assign(own.paths, { '/boats/mine/{id}{kind}': { get: { parameters, responses: {} } } });
  const { app } = open(() => Response.json({ url }), { document: own });
  expect(await (await app.request('/barcos/1')).json()).toEqual({ url: words });
});

test.each([
  ['vela', 'sail'],
  ['vela ,  vela x,motor', 'sail ,  vela x,motor'],
  ['motor%20x', 'motor%20x'],
  ['vela, a%0D%0Ax-admin: b', 'sail, a%0D%0Ax-admin: b'],
])('the header %s is %s, of which nothing is decoded', async (value, canonical) => {
  const own = structuredClone(document);
  own.paths['/boats'].get.parameters.push({ name: 'x-kind', in: 'header', schema: ref('Kind') });
  const { app, seen } = open(undefined, { document: own });
  await app.request('/barcos', { headers: { 'x-kind': value } });
  expect(seen[0]?.headers.get('x-kind')).toBe(canonical);
});

test('a form is handed over as it comes, and the rest of a long value stays', async () => {
  let count = 0;
  const long = `&eslora=${'x'.repeat(70_000)}`;
  const body = new ReadableStream({
    pull(controller) {
      const part = ['nombre=a&ti', 'po=vela', long, 'tipo=vela', '&tipo=ve', 'la', '&tipo'][count++];
      if (part === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
  const parts: string[] = [];
  const fetch = async (request: Request) => {
    for await (const part of request.body ?? []) parts.push(`${count}${new TextDecoder().decode(part)}`);
    return new Response();
  };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const request = new Request('http://localhost/barcos', {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit);
  await vocabularies({ fetch }, { document, tables: { es }, onNotice: () => {} }).fetch(request);
  // Each has the number of parts that had been sent before it came.
  const canonical = ['5name=a&kind=sail&', '5length=x', '6tipo=vela', '7&', '8kind=sail&', '8kind'];
  expect(parts.map((part) => part.replace(/x+/, 'x'))).toEqual(canonical);
});

test.each([
  [11, 'rejected'],
  [100_000, 404],
])(
  'a body that breaks off after %d bytes, and that the API does not read, leaves no rejection behind',
  async (length, expected) => {
    const unhandled: unknown[] = [];
    const listen = (fault: unknown): unknown => unhandled.push(fault);
    process.on('unhandledRejection', listen);
    const breakOff = Promise.withResolvers<void>();
    let isSent = false;
    const body = new ReadableStream({
      async pull(controller) {
        if (isSent) await breakOff.promise;
        if (isSent) controller.error(new TypeError('broken off'));
        else controller.enqueue(new TextEncoder().encode('{"nombre":"'.padEnd(length, 'x')));
        isSent = true;
      },
    });
    const app = vocabularies({ fetch: () => new Response('', { status: 404 }) }, { document, tables: { es } });
    const request = new Request('http://localhost/barcos', {
      method: 'POST',
      body,
      headers: JSON_TYPE,
      duplex: 'half',
    } as RequestInit);
    if (expected === 'rejected') breakOff.resolve();
    const status = await Promise.resolve(app.fetch(request)).then(
      (answer) => answer.status,
      () => 'rejected',
    );
    breakOff.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listen);
    expect([status, unhandled]).toEqual([expected, []]);
  },
);

test('headers of parts take no longer than they are long', async () => {
  const start = '--xx\r\nContent-Disposition: form-data; name="tipo"\r\n';
  const body = `${start}${'content-type:\n'.repeat(4_600)}\r\n\r\nvela\r\n`.repeat(100);
  const { app, seen } = open();
  const headers = { 'content-type': 'multipart/form-data; boundary=xx' };
  await app.request('/barcos', { method: 'POST', body: `${body}--xx--\r\n`, headers });
  expect(seen[0]?.body.endsWith('\r\n\r\nsail\r\n--xx--\r\n')).toBe(true);
});

test('errors that the document does not describe name addresses, pointers and names in words', async () => {
  const error = {
    status: 404,
    path: '/boats/1',
    instance: '/boats/mine?x',
    errors: [{ path: '/owner/name' }, { path: 'owner.name' }],
  };
  const { app } = open(() => Response.json(error, { status: 418 }));
  const answer = await app.request('/barcos', { method: 'POST', body: '{}', headers: JSON_TYPE });
  expect(await answer.json()).toEqual({
    status: 404,
    path: '/barcos/1',
    instance: '/barcos/m%C3%ADos?x',
    errors: [{ path: '/propietario/titular' }, { path: 'propietario.titular' }],
  });
});

test('events that are not JSON pass in their order', async () => {
  const events = 'data: {"na\nid: 1\n\ndata: "x\nid: 2\n\ndata: {"name":1}\n\n';
  const { app } = open(() => new Response(events, { headers: { 'content-type': 'text/event-stream' } }));
  const answer = await (await app.request('/barcos/1/propietarios')).text();
  expect(answer).toBe(events.replace('"name"', '"titular"'));
});

test('what is no UTF-8 is left as it is, whole or in the middle of a stream', async () => {
  const parts = ['{"name":"a\u00f1', '\u00ff', '","name":1}'].map((part) => Buffer.from(part, 'latin1'));
  const whole = open(() => new Response(Buffer.concat(parts), { headers: JSON_TYPE })).app;
  expect(new Uint8Array(await (await whole.request('/barcos/1')).arrayBuffer())).toEqual(
    new Uint8Array(Buffer.concat(parts)),
  );
  const stream = (async function* () {
    for (const part of [Buffer.from('{"name":"\u00f1'), ...parts]) {
      await new Promise((resolve) => setImmediate(resolve));
      yield part;
    }
  })();
  const streamed = open(() => new Response(stream as never, { headers: JSON_TYPE })).app;
  const answer = Buffer.from(await (await streamed.request('/barcos/1')).arrayBuffer());
  expect(answer).toEqual(Buffer.concat([Buffer.from('{"nombre":"\u00f1'), ...parts]));
});

const TOLD = '{"title":"x","code":"too-long"}';

test.each([
  ['a body with words', 'GET', 200, 'application/json', '{"name":1}', 'es'],
  ['its head', 'HEAD', 200, 'application/json', null, 'es'],
  ['text', 'GET', 404, 'text/plain', 'Not found', 'en'],
  ['a page', 'GET', 200, 'text/html', '{"name":1}', 'en'],
  ['what is no JSON', 'GET', 200, 'application/json', '{"name":', 'en'],
  ['an error whose sentences are all in the table', 'GET', 400, 'application/json', TOLD, 'es'],
  ['an error with other sentences', 'GET', 400, 'application/json', TOLD.replace('}', ',"errors":["is long"]}'), 'en'],
  ['an error with a place and a value', 'GET', 400, 'application/json', TOLD.replace('}', ',"value":"a b"}'), 'es'],
  ['an error without a sentence', 'GET', 400, 'application/json', '{"error":"gone","name":1}', 'en'],
  ['the head of an error', 'HEAD', 400, 'application/json', null, null],
  ['what the client has already', 'GET', 304, 'application/json', null, null],
])('the language of an answer is honest: %s', async (_, method, status, type, body, expected) => {
  const headers = { 'content-type': type, 'content-language': 'en' };
  const { app } = open(() => new Response(body, { status, headers }));
  const answer = await app.request('/barcos/1', { method });
  expect(answer.headers.get('content-language')).toBe(expected);
});

test.each([
  [{ es: { ...es, problems: { 'unknown-parameter': { title: 'Parámetro' } } } }, '/barcos?kind=x', 'es'],
  [{ pt: { ...pt, problems: { 'unknown-parameter': { title: 'Parâmetro' } } } }, '/embarcações?kind=x', 'en'],
  [{ pt: { ...pt, problems: { 'unknown-parameter': { title: 'a', detail: 'b' } } } }, '/embarcações?kind=x', 'pt'],
  [{ 'es-MX': es }, '/barcos?kind=x', 'es-MX'],
])('the language of a refusal is one', async (tables, url, expected) => {
  const answer = await open(undefined, { tables }).app.request(url);
  const { title, detail } = (await answer.json()) as { title: string; detail: string };
  expect([answer.status, answer.headers.get('content-language')]).toEqual([400, expected]);
  if (expected === 'en')
    expect([title, detail]).toEqual(['Unknown parameter', expect.stringContaining('Did you mean')]);
});

test('what a validator finds is said in the language of which a vocabulary is one of a country', async () => {
  const found = { success: false, error: [{ code: 'invalid_type', message: 'Missing', path: ['name'] }] };
  const hook = answerIssues({ es: () => 'Falta' });
  const api = new Hono().post('/boats', (c) => hook(found, c) ?? c.body(null));
  const app = vocabularies(api, { document, tables: { 'es-MX': es }, onNotice: () => {} });
  const answer = await app.request('/barcos', { method: 'POST', body: '{}', headers: JSON_TYPE });
  expect(await answer.json()).toMatchObject({
    title: 'Petición no válida',
    errors: [{ pointer: '/nombre', detail: 'Falta' }],
  });
  expect(answer.headers.get('content-language')).toBe('es-MX');
});

test('what a validator finds has the values that could stand there in words, and the numbers that a sentence names', async () => {
  const error = [
    { code: 'invalid_value', values: ['sail', 'motor'], path: ['owner', 'boats', 0, 'kind'], message: 'x' },
    { code: 'too_big', maximum: 5, path: ['length'], message: 'x' },
    // Valibot has no codes, and no locale of zod knows its issues.
    { type: 'min_length', path: [{ key: 'name' }], message: 'Too short' },
  ];
  const hook = answerIssues({ es: ({ values }: { values?: string[] }) => `Falta ${values}` });
  const api = new Hono().post('/boats', (c) => hook({ success: false, error }, c) ?? c.body(null));
  const problems = { too_big: { detail: 'Como mucho {maximum}.' } };
  const tables = { es: { ...es, problems } };
  const app = vocabularies(api, { document, tables, onNotice: () => {} });
  const answer = await app.request('/barcos', { method: 'POST', body: '{}', headers: JSON_TYPE });
  expect(await answer.json()).toMatchObject({
    errors: [
      { pointer: '/propietario/barcos/0/tipo', detail: 'Falta vela,motor' },
      { pointer: '/eslora', maximum: 5, detail: 'Como mucho 5.' },
      { pointer: '/nombre', code: 'min_length', detail: 'Too short' },
    ],
  });
  expect(answer.headers.get('content-language')).toBe(null);
});

test('an error in an answer 200 has places in words where the document says that it holds some', async () => {
  const properties = {
    pointer: { type: 'string', format: 'json-pointer' },
    parameter: { type: 'string', 'x-names': 'request' },
    member: { type: 'string', 'x-names': 'members of Boat' },
    path: { type: 'string' },
  };
  const changed = structuredClone(document);
  const errors = { type: 'array', items: { type: 'object', properties } };
  const schema = { oneOf: [ref('Boat'), { type: 'object', properties: { errors } }] };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const { get, post } = changed.paths['/boats'];
  for (const operation of [get, post]) Object.assign(operation.responses, responses);
  const error = { pointer: '/owner/boats/0/kind', parameter: 'kind', member: 'name', path: '/boats/1' };
  const { app } = open(() => Response.json({ errors: [error] }), { document: changed });
  const read = async (init: RequestInit) => (await (await app.request('/barcos', init)).json()) as typeof error;
  const words = { parameter: 'tipo', member: 'nombre', path: '/boats/1' };
  expect(await read({ method: 'POST', body: '{}', headers: JSON_TYPE })).toEqual({
    errors: [{ ...words, pointer: '/propietario/barcos/0/tipo' }],
  });
  // A request without a body has nothing that a pointer could lead to.
  expect(await read({})).toEqual({ errors: [{ ...words, pointer: error.pointer }] });
});

test.each([
  ['tamaño~/m', 'sail', '', [['/tamaño~0~1m', 'vela']]],
  ['kind', 'vela', '', [['/kind', 'tipo']]],
  [
    'dueño',
    '{"name":1,"barcos":[{"tipo":"sail"}]}',
    'application/json',
    [
      ['/dueño/name', 'titular'],
      ['/dueño/barcos/0/tipo', 'vela'],
    ],
  ],
])('law 3: a foreign word in the part %s of a form has its place', async (name, value, type, expected) => {
  const changed = structuredClone(document);
  Object.assign(changed.components.schemas.Boat.properties, { 'tamaño~/m': ref('Kind'), dueño: ref('Owner') });
  const body = `--x\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${value}\r\n--x--\r\n`;
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await open(undefined, { document: changed }).app.request('/barcos', { method: 'POST', body, headers });
  const { errors } = (await answer.json()) as { errors: { pointer: string; suggestion: string }[] };
  expect(errors.map(({ pointer, suggestion }) => [pointer, suggestion])).toEqual(expected);
});

test('an address of another scheme stays', async () => {
  const others = ['mailto:/boats', 'urn:boats', 'javascript:/boats/1', 'https://example.com/boats'];
  // A browser reads two backslashes as the beginning of a host.
  for (const address of [...others, '\\\\[', '\\\\example.com\\boats']) {
    const { app } = open(() => Response.json({ url: address }, { headers: { location: address } }));
    const answer = await app.request('/barcos/1');
    expect([answer.headers.get('location'), await answer.json()]).toEqual([address, { url: address }]);
  }
});

test('law 8: what a document has in two places at once, as by an anchor of YAML, is written in both', () => {
  const shared = { type: 'object', properties: { name: { enum: ['sail'] } } };
  const content = { content: { 'application/json': { schema: shared } } };
  const paths = { '/boats': { post: { requestBody: content, responses: { 200: content } } } };
  const table = { members: { '*': { name: 'nombre' } }, values: { '*': { sail: 'vela' } } };
  const written = JSON.stringify(translateDocument({ openapi: '3.1.0', paths }, table));
  expect(written).not.toContain('name');
  expect(written).not.toContain('sail');
});

const KINDS = { type: 'array', items: { enum: ['sail', 'motor'] } };
const createContent = (schema: unknown) => ({ schema: undefined, content: { 'application/json': { schema } } });
const OBJECT = createContent({ properties: { kind: KINDS } });
const MAP = createContent({ additionalProperties: { properties: { kind: KINDS } } });

test.each([
  ['/barcos?a=vela,motor', { style: 'form', explode: false }, 'sail,motor'],
  ['/barcos?a=vela&a=motor', { style: 'form', explode: true }, 'sail&kinds=motor'],
  ['/barcos?a=vela|motor', { style: 'pipeDelimited', explode: false }, 'sail|motor'],
  ['/barcos?a=vela%20motor', { style: 'spaceDelimited', explode: false }, 'sail%20motor'],
  ['/barcos?a=%7B%22tipo%22:[%22vela%22]%7D', OBJECT, '%7B%22kind%22%3A[%22sail%22]%7D'],
  ['/barcos?a=%7B%22x%22:%7B%22tipo%22:[]%7D%7D', MAP, '%7B%22x%22%3A%7B%22kind%22%3A[]%7D%7D'],
])('a parameter of a query: %s', async (url, style, expected) => {
  const parameter = {
    name: 'kinds',
    in: 'query',
    schema: KINDS,
    ...style,
  };
  const paths = { '/boats': { get: { parameters: [parameter], responses: {} } } };
  const values = { '*': { sail: 'vela' } };
  const table = { paths: { boats: 'barcos' }, parameters: { kinds: 'a' }, members: { '*': { kind: 'tipo' } }, values };
  const { app, seen } = open(undefined, { document: { openapi: '3.1.0', paths }, tables: { es: table } });
  await app.request(url);
  expect(seen[0]?.url).toBe(`/boats?kinds=${expected}`);
});

/** The boats with a parameter whose members are parameters, one of which is spelt like another parameter. */
function openExploded(members: Readonly<Record<string, string>>) {
  const object = { name: 'filter', in: 'query', schema: { properties: { kind: {}, length: {} } } };
  const parameters = [object, { name: 'kind', in: 'query', schema: ref('Kind') }];
  const paths = { '/boats': { get: { parameters, responses: {} } } };
  const tables = { es: { ...es, members: { '*': members } } };
  return open(undefined, { document: { ...document, paths }, tables });
}

test.each([
  ['/barcos?tipo=vela&eslora=2', '/boats?kind=sail&length=2'],
  ['/barcos?clase=vela', '/boats?clase=vela'],
  ['/barcos?filtro[eslora]=2&filtro[clase]=x', '/boats?filter[length]=2&filter[kind]=x'],
])('a parameter goes before the member of another that is spelt like it: %s', async (url, canonical) => {
  const { app, seen } = openExploded({ kind: 'clase', length: 'eslora' });
  await app.request(url);
  expect(seen[0]?.url).toBe(canonical);
});

test.each(['tipo', 'kind'])('%s is no word of a member that is a parameter beside one of that word', (word) => {
  expect(() => openExploded({ length: word })).toThrow(VocabularyError);
});

test('law 8: members and components may be called like keywords of documents', () => {
  const names = [
    'example',
    'examples',
    'links',
    'encoding',
    'callbacks',
    'name',
    'schema',
    'properties',
    'enum',
    'headers',
  ];
  const kind = { enum: ['sail'] };
  const properties = Object.fromEntries(names.map((name) => [name, { properties: { kind } }]));
  const schemas = Object.fromEntries(names.map((name) => [name, { properties }]));
  const content = { content: { 'application/json': { schema: ref('links') } } };
  const document = {
    openapi: '3.1.0',
    paths: { '/boats': { post: { responses: { 200: content } } } },
    components: { schemas },
  };
  const table = { members: { '*': { kind: 'tipo' } }, values: { '*': { sail: 'vela' } } };
  const expected = JSON.parse(JSON.stringify(document).replaceAll('"kind"', '"tipo"').replaceAll('"sail"', '"vela"'));
  expect(translateDocument(document, table)).toEqual(expected);
});

test('law 8: a path has words for its parameters if linters find them, which is in ASCII', () => {
  const given = (path: string, [key, year, age]: readonly string[]) => ({
    openapi: '3.1.0',
    paths: {
      [path]: {
        get: {
          operationId: 'read',
          parameters: [
            ...[key, year].map((name) => ({ name, in: 'path', required: true })),
            { name: age, in: 'query' },
          ],
          responses: {
            200: {
              links: {
                next: {
                  operationId: 'read',
                  parameters: {
                    [`path.${key}`]: `$request.path.${key}`,
                    [`${year}`]: `$request.path.${year}`,
                    [`query.${age}`]: `$request.query.${age}`,
                  },
                },
              },
            },
          },
        },
      },
    },
  });
  const table = { paths: { boats: 'barcos' }, parameters: { key: 'clave', year: 'año', age: 'años' } };
  const written = translateDocument(given('/boats/{key}-{year}', ['key', 'year', 'age']), table);
  expect(written).toEqual(given('/barcos/{clave}-{year}', ['clave', 'year', 'años']));
});
test('law 8: values in headers of answers stay, as in the answers, and their references lead to words', () => {
  const given = (path: string) => {
    const headers = {
      'X-Kind': { schema: { enum: ['sail'] } },
      'X-Kinds': { $ref: `#/paths/~1${path}/get/responses/200/headers/X-Kind` },
    };
    return {
      openapi: '3.1.0',
      paths: { [`/${path}`]: { get: { responses: { 200: { headers } } } } },
      components: { headers },
    };
  };
  const table = { paths: { boats: 'barcos' }, values: { '*': { sail: 'vela' } } };
  expect(translateDocument(given('boats'), table)).toEqual(given('barcos'));
});

test.each(['QUERY', 'COPY'])('the method %s of OpenAPI 3.2 has a body in words', async (method) => {
  const operation = { requestBody: { content: { 'application/json': { schema: ref('Boat') } } }, responses: {} };
  const paths = { '/boats': { query: operation, additionalOperations: { COPY: operation } } };
  const { app, seen } = open(undefined, { document: { ...document, openapi: '3.2.0', paths } });
  await app.request('/barcos', { method, body: '{"nombre":1}', headers: JSON_TYPE });
  expect(seen).toMatchObject([{ method, url: '/boats', body: '{"name":1}' }]);
});

test('paths, operations, contents and properties may be references, as those of documents in several files are', async () => {
  const referring = {
    openapi: '3.2.0',
    paths: { $ref: '#/x-paths' },
    'x-paths': { '/boats': { post: { $ref: '#/x-files/create.yaml' } } },
    'x-files': {
      'create.yaml': {
        requestBody: { content: { $ref: '#/x-files/content' } },
        responses: { $ref: '#/x-files/answers' },
      },
      content: { 'application/json': { $ref: '#/components/mediaTypes/Boat' } },
      answers: { 201: { content: { $ref: '#/x-files/content' } } },
      properties: { name: {} },
    },
    components: { mediaTypes: { Boat: { schema: { properties: { $ref: '#/x-files/properties' } } } } },
  };
  const tables = { es: { ...es, members: { '*': { name: 'nombre' } } } };
  const { app, seen } = open(() => Response.json({ name: 2 }, { status: 201 }), { document: referring, tables });
  const answer = await app.request('/barcos', { method: 'POST', body: '{"nombre":1}', headers: JSON_TYPE });
  expect(seen).toMatchObject([{ url: '/boats', body: '{"name":1}' }]);
  expect(await answer.json()).toEqual({ nombre: 2 });
});

test('law 8: what stands outside of components is in words, too, and lists where maps are expected stay', () => {
  const given = (path: string, member: string, parameter: string) => ({
    openapi: '3.1.0',
    paths: {
      [path]: {
        post: {
          operationId: 'create',
          parameters: [{ name: parameter, in: 'query', schema: { $ref: '#/definitions/Boat' }, examples: [1] }],
          responses: {
            200: {
              content: { 'application/json': { schema: { $ref: '#/definitions/Boat' } } },
              links: {
                again: { $ref: '#/components/links/again' },
                same: { operationId: 'create', requestBody: `$response.body#/${member}` },
                other: { operationId: 'create', parameters: { [parameter]: `$request.query.${parameter}` } },
              },
            },
          },
          'x-tool': { headers: ['name'], links: 'name', callbacks: null },
        },
      },
    },
    components: { links: { again: { operationId: 'create', parameters: { [parameter]: 1 } } }, 'x-order': ['name'] },
    definitions: { Boat: { properties: { [member]: {} } }, Unused: { properties: { links: { items: ['name'] } } } },
  });
  const table = { paths: { boats: 'barcos' }, members: { Boat: { name: 'nombre' } }, parameters: { género: 'tipo' } };
  expect(translateDocument(given('/boats', 'name', 'género'), table)).toEqual(given('/barcos', 'nombre', 'tipo'));
});

test('law 8: references lead through paths and properties in words', () => {
  const content = (schema: unknown) => ({ 200: { description: '', content: { 'application/json': { schema } } } });
  const given = (path: string, member: string, kind = encodeURI(`#/components/schemas/Boat/properties/${member}`)) => ({
    openapi: '3.1.0',
    paths: {
      [path]: {
        get: { responses: content({ allOf: [{ properties: { [member]: ref('Kind') } }] }) },
        put: { responses: content(ref(encodeURI(`Boat/properties/${member}/items`))) },
        delete: {
          responses: content({ oneOf: [], discriminator: { propertyName: 'x', mapping: { b: kind, c: 'Kind' } } }),
        },
        post: {
          responses: content({
            $ref: encodeURI(
              `#/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema/allOf/0/properties/${member}`,
            ),
          }),
        },
      },
    },
    components: { schemas: { Boat: { properties: { [member]: { items: {} } } }, Kind: {} } },
  });
  const table = { paths: { boats: 'embarcações' }, members: { '*': { kind: 'espécie' } } };
  expect(translateDocument(given('/boats/{id}', 'kind'), table)).toEqual(given('/embarcações/{id}', 'espécie'));
});

test('law 8: webhooks and callbacks are written, and a value that has its word in some places only in both forms', () => {
  const closed = { enum: ['sail', 'motor'], pattern: '^.{4,5}$', maxLength: 5 };
  const content = (schema: unknown) => ({ requestBody: { content: { 'application/json': { schema } } } });
  const kind = content({ properties: { kind: ref('Kind') } });
  const open = content({ properties: { kind: { anyOf: [ref('Kind'), { type: 'string' }] } } });
  const given = (members: (name: string) => string, kinds: unknown) => ({
    openapi: '3.1.0',
    webhooks: { sunk: { post: content({ properties: { [members('kind')]: ref('Kind') } }) } },
    paths: { '/x': { post: { ...kind, callbacks: { a: { '{$request.body#/kind}': { post: open } } } }, put: open } },
    components: { schemas: { Kind: kinds } },
  });
  const table = { members: { '*': { kind: 'tipo' } }, values: { Kind: { sail: 'vela' } } };
  const written = translateDocument(given(String, closed), table);
  const expected = given(() => 'tipo', { enum: ['sail', 'vela', 'motor'] });
  expect(written).toEqual(
    JSON.parse(JSON.stringify(expected).replaceAll('"kind"', '"tipo"').replace('#/kind', '#/tipo')),
  );
});

test('what a problem quotes of a request is in words, and stays if nothing of it has one', async () => {
  const quoted = { type: 'string', 'x-names': 'request' };
  const answer = { content: { 'application/json': { schema: { properties: { suggestion: quoted } } } } };
  const changed = structuredClone(document) as { paths: Record<string, { get: { responses: object } }> };
  Object.assign(changed.paths['/boats']?.get.responses ?? {}, { 400: answer });
  const read = async (suggestion: string) => {
    const { app } = open(() => Response.json({ suggestion }, { status: 400 }), { document: changed });
    return ((await (await app.request('/barcos')).json()) as { suggestion: string }).suggestion;
  };
  expect(await read('kind=sail')).toBe('tipo=vela');
  expect(await read('sort=-name')).toBe('orden=-nombre');
  expect(await read('/boats/1?x=y')).toBe('/barcos/1?x=y');
  expect(await read('kind')).toBe('tipo');
  expect(await read('sail')).toBe('vela');
  expect(await read('a=1+2%20b')).toBe('a=1+2%20b');
});
