// Asks for items at a steady rate whatever becomes of the answers, so that no delay hides the next one, and checks each:
// node probe.js <origin> <file of path, tab, expected body> <a second> <seconds>
import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';

const [origin, file, rate, seconds] = process.argv.slice(2);
const questions = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));
const agent = new Agent({ keepAlive: true });
const times = [];
let failures = 0;

const ask = ([path, expected]) =>
  new Promise((resolve) => {
    const sent = performance.now();
    const fail = () => {
      failures++;
      resolve();
    };
    get(origin + path, { agent }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => {
        body += text;
      });
      response.on('error', fail).on('end', () => {
        times.push(performance.now() - sent);
        if (response.statusCode === 200 && body === expected) resolve();
        else fail();
      });
    }).on('error', fail);
  });

// The first connections and the first compilation are not what is measured.
for (let at = 0; at < 20; at++) await ask(questions[at % questions.length]);
times.length = 0;

const started = performance.now();
const open = [];
for (let sent = 0; sent < rate * seconds; sent++) {
  const due = started + (sent * 1000) / rate;
  while (performance.now() < due)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
  open.push(ask(questions[sent % questions.length]));
}
await Promise.all(open);

const sorted = times.toSorted((a, b) => a - b);
const at = (share) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
console.log(`RESULT ${JSON.stringify({ count: times.length, failures, p50: at(0.5), p99: at(0.99), max: at(1) })}`);
process.exit(0);
