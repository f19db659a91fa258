import { Context } from 'hono';
import { expect, test } from 'vitest';
import { parseBody, readBody } from '../../../../src/gateway/read/body/body.ts';
import { Problem } from '../../../../src/gateway/texts/problem.ts';

const LIMIT = 64;

const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text));

/** A request with this body: its length declared, or not known before its end. */
const requests: readonly ((body: Uint8Array<ArrayBuffer>) => Request)[] = [
  (body) =>
    new Request('http://localhost/', { method: 'POST', body, headers: { 'content-length': String(body.length) } }),
  (body) => {
    const stream = new ReadableStream({
      start: (controller) => {
        for (const byte of body) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    return new Request('http://localhost/', { method: 'POST', body: stream, duplex: 'half' } as RequestInit);
  },
];

const read = [
  ['{}', {}],
  ['[]', []],
  [' {"a": [1, "x", null, true]} ', { a: [1, 'x', null, true] }],
  ['"ñ🚗"', 'ñ🚗'],
  ['0', 0],
  ['{"a": {"b": 1}, "c": {"b": 2}}', { a: { b: 1 }, c: { b: 2 } }],
  ['[{"a": 1}, {"a": 2}]', [{ a: 1 }, { a: 2 }]],
  ['{"a": "a", "b": ["a", "a"]}', { a: 'a', b: ['a', 'a'] }],
  ['{"\\"": 1, "\\\\": 2}', { '"': 1, '\\': 2 }],
  [`"${'x'.repeat(LIMIT - 2)}"`, 'x'.repeat(LIMIT - 2)],
] as const;

/** A request as a route has it. */
const asked = (request: Request): Context => new Context(request);
const readWhole = async (...sent: Parameters<typeof readBody>): Promise<unknown> => parseBody(await readBody(...sent));

test.each(read)('%s', async (text, expected) => {
  for (const request of requests) expect(await readWhole(asked(request(bytes(text))), LIMIT)).toEqual(expected);
});

/** A body, the code of the problem, and what is said. */
const refused: readonly (readonly [what: string, body: Uint8Array<ArrayBuffer>, code: string, phrase: string])[] = [
  ['nothing', bytes(''), 'malformed-json', 'body-empty'],
  ['half an object', bytes('{"a":'), 'malformed-json', 'json-syntax'],
  ['a comma too many', bytes('[1,]'), 'malformed-json', 'json-syntax'],
  ['a byte-order mark', bytes('\ufeff{}'), 'malformed-json', 'json-syntax'],
  ['NaN', bytes('NaN'), 'malformed-json', 'json-syntax'],
  ['a byte that is no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'malformed-json', 'json-encoding'],
  ['UTF-16', Uint8Array.of(0xfe, 0xff, 0x00, 0x7b), 'malformed-json', 'json-encoding'],
  ['a member twice', bytes('{"a":1,"a":1}'), 'malformed-json', 'json-repeated'],
  ['a member twice, once escaped', bytes('{"a":1,"\\u0061":2}'), 'malformed-json', 'json-repeated'],
  ['a member twice, deep inside', bytes('[{"b":{"a":1,"c":[],"a":2}}]'), 'malformed-json', 'json-repeated'],
  ['a byte too many', bytes(`"${'x'.repeat(LIMIT - 1)}"`), 'body-too-large', 'body-too-large'],
];

test.each(refused)('in vain: %s', async (_, body, code, phrase) => {
  for (const request of requests) {
    const problem = await readWhole(asked(request(body)), LIMIT).catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(Problem);
    expect(problem).toMatchObject({ code, detail: { phrase } });
  }
});

test('a body that breaks off', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  await expect(readWhole(asked(request), LIMIT)).rejects.toMatchObject({ code: 'bad-request' });
});
