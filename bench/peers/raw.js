// The limit: node:http with constant bytes and headers, no routing, no database. ANSWERS names a file that holds them.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { item, list } = JSON.parse(readFileSync(process.env.ANSWERS ?? '', 'utf8'));

createServer((request, response) => {
  const { headers, body } = request.url?.includes('?') ? list : item;
  response.writeHead(200, headers);
  response.end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
