import { expect, test } from 'vitest';
import { useFreshApp } from '../../support/app/app.ts';

type Body = NonNullable<RequestInit['body']> | null;

const LIMIT = 1_000;
const bytes = (text: string): Buffer<ArrayBuffer> => Buffer.from(text);

const app = useFreshApp({ bodyLimit: LIMIT });
const spacious = useFreshApp();

const send = async (method: string, path: string, body: Body, headers: Record<string, string> = {}) => {
  const type = { 'content-type': 'application/json' };
  const answer = await app.request(path, { method, body, headers: { ...type, ...headers }, duplex: 'half' });
  const text = await answer.text();
  return { status: answer.status, json: text === '' ? undefined : JSON.parse(text), headers: answer.headers };
};

const CARS = '/api/coches';
const CAR = '{"identificador":"a-1","marca":"Seat","modelo":"Ibiza"}';
const EMPTY = 'El cuerpo está vacío.';

/** What else is no JSON, `JSON.parse` knows. */
const noJson = ['', ' ', '{', '{"a":1,}', '{} {}', '{}\0', '\ufeff{}', 'marca=Seat', '<coche/>'] as const;

const noUtf8 = [
  ['a byte alone', bytes('{"a":"Ã"}').subarray(0, 7)],
  ['Latin-1', Buffer.from('{"marca":"Citroën"}', 'latin1')],
  ['an overlong slash', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
  ['half of a surrogate pair', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['beyond U+10FFFF', Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22])],
  ['UTF-16', Buffer.from('\ufeff{}', 'utf16le')],
] as const;

const repetitions = [
  ['{"x":1,"x":2}', 'x'],
  ['{"x":1,"x":1}', 'x'],
  ['{"\\u0062rand":"A","brand":"B"}', 'brand'],
  ['{"marca":"A","mar\\u0063a":"B"}', 'marca'],
  ['{"a/b":1,"a\\/b":2}', 'a/b'],
  ['{"":1,"":2}', ''],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"x":{"y":1,"y":2}}', 'y'],
  ['{"x":[{"y":1},{"z":{"q":1,"r":2,"q":3}}]}', 'q'],
  ['{"a":{"b":1},"a":2}', 'a'],
  ['{"a":[1,{"b":2}],"c":"}","a":"{"}', 'a'],
  ['{"a":"\\"","b":"a","a":1}', 'a'],
  ['[{"a":1,"a":2}]', 'a'],
] as const;

/** Names that only look repeated. */
const notRepeated = ['{"x":"x"}', '{"x":{"x":1},"y":["x","x"]}', '{"a\\"":1,"a":2}', '{"X":1,"x":2}'] as const;

const expectRefusal = async (body: Body, detail: string) => {
  await send('POST', CARS, CAR);
  for (const [method, path] of [['POST', CARS] as const, ['PUT', `${CARS}/a-1`] as const]) {
    const { status, json } = await send(method, path, body);
    expect([status, json.code, json.title]).toEqual([400, 'malformed-json', 'JSON mal formado']);
    expect(json.detail.slice(0, detail.length)).toBe(detail);
    expect(json).not.toHaveProperty('errors');
  }
  const { json } = await send('GET', CARS, null);
  expect(JSON.stringify(json)).toBe(`[${CAR}]`);
};

test.each(noJson.map((body) => ({ body })))('refuses $body, which is no JSON', ({ body }) =>
  expectRefusal(bytes(body), body.trim() === '' ? EMPTY : 'El cuerpo no es JSON válido: '),
);
test('refuses a body that is not there', () => expectRefusal(null, EMPTY));
test.each(noUtf8)('refuses %s, which is no UTF-8', (_, body) => expectRefusal(body, 'El cuerpo no es UTF-8 válido.'));
test.each(repetitions)('refuses %s, which holds a member twice', (body, word) =>
  expectRefusal(bytes(body), `El campo «${word}» aparece más de una vez en el mismo objeto.`),
);
test.each(notRepeated)('does not take %s for a repetition', async (body) => {
  const { status, json } = await send('POST', CARS, bytes(body));
  expect([status, json.errors.map(({ code }: { code: string }) => code)]).toEqual([
    400,
    expect.arrayContaining(['unknown-field']),
  ]);
});

test('takes white space around the value', async () => {
  expect((await send('POST', CARS, bytes(` \t\r\n${CAR}\r\n`))).status).toBe(201);
});

const large0 = CAR.replace('}', `${' '.repeat(LIMIT - CAR.length)}}`);
const stream = (...chunks: readonly string[]): ReadableStream<Uint8Array<ArrayBuffer>> =>
  ReadableStream.from(chunks.map((chunk) => bytes(chunk)));
const declared = (text: string) => ({ 'content-length': String(Buffer.byteLength(text)) });

test('takes a body as large as the limit, of known length or not', async () => {
  expect((await send('POST', CARS, large0, declared(large0))).status).toBe(201);
  await send('DELETE', `${CARS}/a-1`, null);
  expect((await send('POST', CARS, stream(large0.slice(0, 500), large0.slice(500)))).status).toBe(201);
});

test('refuses a body one byte larger, of known length or not, and keeps nothing of it', async () => {
  const tooLarge = `${large0} `;
  const answers = [
    await send('POST', CARS, tooLarge, declared(tooLarge)),
    await send('POST', CARS, stream(tooLarge)),
    await send('POST', CARS, stream(large0, ' ')),
  ];
  for (const { status, json } of answers) {
    expect([status, json.code, json.detail]).toEqual([
      413,
      'body-too-large',
      'El cuerpo no puede ocupar más de 1000 B.',
    ]);
  }
  expect((await send('GET', CARS, null)).json).toEqual([]);
});

test('counts bytes, not characters', async () => {
  const accented = CAR.replace('Seat', 'é'.repeat((LIMIT - CAR.length) / 2 + 10));
  expect(accented.length).toBeLessThan(LIMIT);
  expect((await send('POST', CARS, stream(accented))).status).toBe(413);
});

test('says so where a body breaks off', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  expect((await send('POST', CARS, broken)).json).toMatchObject({ status: 400, code: 'bad-request' });
});

test('stops reading at the limit', async () => {
  let read = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      read += 100;
      controller.enqueue(bytes(' '.repeat(100)));
    },
  });
  expect((await send('POST', CARS, endless)).status).toBe(413);
  expect(read).toBeLessThan(2 * LIMIT);
});

const deep = [
  ['arrays never closed', '['.repeat(100_000), 400],
  ['objects never closed', '{"a":'.repeat(100_000), 400],
  // One row, which is no object.
  ['arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 422],
  ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 400],
  ['arrays as a value', `{"identificador":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
] as const;
test.each(deep)('outlives 100,000 nested %s', async (_, body, status) => {
  const headers = { 'content-type': 'application/json' };
  expect((await spacious.request(CARS, { method: 'POST', body, headers })).status).toBe(status);
  expect(await (await spacious.request(CARS)).text()).toBe('[]');
  expect(spacious.faults).toEqual([]);
});
