// Sends requests at a steady rate whatever becomes of the responses, so that no delay hides the next one:
// node tools/steady.js <origin> <file> <a second> <seconds>. Each line of the file is JSON: { path, body?, expected? }; with a
// body it is a PUT, and `expected` is the body that must come back.
import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';

const [origin, file, rate, seconds] = process.argv.slice(2);
const requests = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));
const agent = new Agent({ keepAlive: true });
const times = [];
let failures = 0;

const send = ({ path, body, expected }) =>
  new Promise((resolve) => {
    const sent = performance.now();
    const fail = () => {
      failures++;
      resolve();
    };
    const options = {
      agent,
      method: body ? 'PUT' : 'GET',
      headers: body ? { 'Content-Type': 'application/json' } : {},
    };
    request(origin + path, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('error', fail).on('end', () => {
        times.push(performance.now() - sent);
        if (response.statusCode === 200 && (expected === undefined || text === expected)) resolve();
        else fail();
      });
    })
      .on('error', fail)
      .end(body);
  });

// The first connections and the first compilation are not what is measured.
for (let at = 0; at < 20; at++) await send(requests[at % requests.length]);
times.length = 0;

const started = performance.now();
const open = [];
for (let sent = 0; sent < rate * seconds; sent++) {
  const due = started + (sent * 1000) / rate;
  while (performance.now() < due)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  open.push(send(requests[sent % requests.length]));
}
await Promise.all(open);

const sorted = times.toSorted((a, b) => a - b);
const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
console.log(`RESULT ${JSON.stringify({ count: times.length, failures, p50: at(0.5), p99: at(0.99), max: at(1) })}`);
process.exit(0);
