/** An API in a process of its own, to be killed: it says what it has received, and does not answer writes, nor the second page of a list to its end. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const car = (at: number) => ({ id: `car-${at}`, brand: 'Seat', model: 'Ibiza', year: 2008 });
const TOTAL = 2_000;

const server = createServer(async (incoming, outgoing) => {
  const { method, url = '' } = incoming;
  const body = await text(incoming);
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const offset = Number(searchParams.get('_start'));
  if (method !== 'GET') return console.log(`received ${method} ${url} ${body}`);
  const total = pathname === '/oils' ? 0 : TOTAL;
  outgoing.writeHead(200, { 'content-type': 'application/json', 'x-total-count': String(total) });
  if (pathname === '/oils') return outgoing.end('[]');
  if (pathname !== '/cars') return outgoing.end(JSON.stringify(car(0)));
  const page = JSON.stringify(Array.from({ length: Number(searchParams.get('_limit')) }, (_, at) => car(offset + at)));
  if (offset === 0) return outgoing.end(page);
  return outgoing.write(page.slice(0, page.length / 2), () => console.log(`half of the page from ${offset}`));
});
server.listen(0, '127.0.0.1', () => console.log(`listening at ${Object(server.address()).port}`));
