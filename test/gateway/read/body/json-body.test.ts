import { Context } from 'hono';
import { expect, test } from 'vitest';
import { readBody } from '../../../../src/gateway/read/body/body.ts';
import { parseBody } from '../../../../src/gateway/read/body/json-body.ts';

const LIMIT = 64;

/** A request as a route has it. */
const asked = (request: Request): Context => new Context(request);
const readWhole = async (...sent: Parameters<typeof readBody>): Promise<unknown> => parseBody(await readBody(...sent));

test('a body that breaks off', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) });
  const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit);
  await expect(readWhole(asked(request), LIMIT)).rejects.toMatchObject({ code: 'bad-request' });
});
