/** Passes bytes on from the API at `DATABASE_URL`, and does nothing else: the least that a program before an API costs. */
import { Agent, createServer, request } from 'node:http';

const { hostname, port } = new URL(process.env.DATABASE_URL ?? '');
const agent = new Agent({ keepAlive: true });

createServer(({ method, url, headers }, outgoing) => {
  const sent = request({ hostname, port, agent, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  sent.on('error', () => outgoing.destroy());
  sent.end();
}).listen(Number(process.env.PORT), '127.0.0.1');
