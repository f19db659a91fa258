import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** Serves until the test is over. @returns the origin */
export const listen = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** Receives what is sent to a hook until the test is over. @returns what has arrived; the status of every answer may be changed */
export const receiver = async () => {
  const bodies: { type: string; data: Record<string, unknown>[] }[] = [];
  const answer = { status: 204 };
  const origin = await listen(async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    response.writeHead(answer.status).end();
  });
  const items = () => bodies.filter(({ type }) => type === 'cars.changed').flatMap(({ data }) => data);
  return { url: `${origin}/in`, bodies, answer, items };
};
