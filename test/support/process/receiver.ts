import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Receives what is sent to a hook until the test is over. @returns what has arrived; the status of every answer may be changed */
export const receiver = async () => {
  const bodies: { type: string; data: Record<string, unknown>[] }[] = [];
  const answer = { status: 204 };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    bodies.push(JSON.parse(text));
    response.writeHead(answer.status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const items = () => bodies.filter(({ type }) => type === 'cars.changed').flatMap(({ data }) => data);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, bodies, answer, items };
};
