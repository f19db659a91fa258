// What wrk.lua does, where there is no wrk: node load-autocannon.js <origin> <file> <connections> <seconds>
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const [origin, file, connections, duration] = process.argv.slice(2);
const requests = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [path, body] = line.split('\t');
    return body ? { method: 'POST', path, body, headers: { 'Content-Type': 'application/json' } } : { path };
  });
const result = await autocannon({
  url: origin,
  connections: Number(connections),
  duration: Number(duration),
  requests,
});
console.log(
  `RESULT ${JSON.stringify({
    requests: result['2xx'] + result.non2xx,
    seconds: result.duration,
    bytes: result.throughput.total,
    failures: result.errors + result.timeouts + result.non2xx,
    p50: result.latency.p50,
    p99: result.latency.p99,
  })}`,
);
