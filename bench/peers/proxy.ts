/**
 * Passes bytes on from the API at `DATABASE_URL`, and does nothing else: the least that a program before an API costs. With
 * `RENAMES` it parses what it gets, gives members other names, and writes it again: the least that one costs that translates.
 */
import { Agent, createServer, request } from 'node:http';
import { json } from 'node:stream/consumers';

const { hostname, port } = new URL(process.env.DATABASE_URL ?? '');
const agent = new Agent({ keepAlive: true });

type Item = Readonly<Record<string, unknown>>;
const words: Record<string, string> = {};
const renamed = (item: Item): Item => {
  const other: Record<string, unknown> = {};
  for (const name in item) {
    words[name] ??= `_${name}`;
    other[words[name]] = item[name];
  }
  return other;
};

createServer(({ method, url, headers }, outgoing) => {
  const sent = request({ hostname, port, agent, method, path: url, headers }, async (answer) => {
    const status = answer.statusCode ?? 502;
    if (process.env.RENAMES === undefined) return answer.pipe(outgoing.writeHead(status, answer.headers));
    const content = (await json(answer)) as Item | readonly Item[];
    const text = JSON.stringify(Array.isArray(content) ? content.map(renamed) : renamed(content as Item));
    return outgoing.writeHead(status, { ...answer.headers, 'content-length': Buffer.byteLength(text) }).end(text);
  });
  sent.on('error', () => outgoing.destroy());
  sent.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
