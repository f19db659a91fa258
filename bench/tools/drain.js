// Reads an answer to its end, as fast as it comes: node drain.js <url>. Prints bytes, milliseconds and a hash of the body.
import { createHash } from 'node:crypto';
import { get } from 'node:http';

const hash = createHash('sha256');
const started = performance.now();
get(process.argv[2] ?? '', (response) => {
  let bytes = 0;
  response.on('data', (chunk) => {
    bytes += chunk.length;
    hash.update(chunk);
  });
  response.on('end', () => {
    const milliseconds = performance.now() - started;
    const total = Number(response.headers['x-total-count']);
    const { statusCode: status, complete } = response;
    console.log(`RESULT ${JSON.stringify({ status, complete, total, bytes, milliseconds, hash: hash.digest('hex') })}`);
  });
});
