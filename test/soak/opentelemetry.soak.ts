/** A trace comes out, by packages that are no part of the service: they are installed for this test, from the registry of `npm`. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/process/folder.ts';
import { listen } from '../support/process/receiver.ts';
import { commandLine, launch, project } from '../support/process/service.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

/** The packages that the documentation says to install. */
const [, packages = ''] =
  /npm install --no-save (.+?) +#/.exec(readFileSync(join(project, 'docs/monitoring.md'), 'utf8')) ?? [];

interface Span {
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

test('every request is a span of the trace that it belongs to, up to the last one before SIGTERM', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages.split(' ')], { cwd: folder, stdio: 'ignore' });
  const loader = join(folder, 'opentelemetry.js');
  copyFileSync(join(project, 'deploy/opentelemetry.js'), loader);
  const spans: Span[] = [];
  // Takes traces by OTLP/HTTP as JSON.
  const endpoint = await listen(async (request, response) => {
    const { resourceSpans = [] } = JSON.parse(await text(request));
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader('content-type', 'application/json').end('{}');
  });
  const service = launch({
    args: ['--import', loader, ...commandLine()],
    env: {
      ...{ OTEL_SERVICE_NAME: 'catalogue', OTEL_TRACES_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'none' },
      ...{ OTEL_LOGS_EXPORTER: 'none', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' },
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    },
  });
  const [, origin = ''] = await service.wrote(/serving (http:\/\/[^/]*)\//);
  const headers = { traceparent: `00-${TRACE}-b7ad6b7169203331-01` };
  /** On a connection of its own, because the service waits half a second for one that is idle: without any it ends at once. */
  const statusOf = async (path: string): Promise<number | undefined> => {
    const sent = request(`${origin}${path}`, { headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await text(response);
    return response.statusCode;
  };
  expect(await statusOf('/api/coches')).toBe(200);
  expect(await statusOf('/api/cars/none')).toBe(404);
  service.child.kill('SIGTERM');
  expect(await service.exit).toBe(0);
  expect(spans.map(({ traceId, parentSpanId }) => [traceId, parentSpanId])).toEqual([
    [TRACE, 'b7ad6b7169203331'],
    [TRACE, 'b7ad6b7169203331'],
  ]);
  const attributes = JSON.stringify(spans.map((span) => span.attributes));
  for (const part of ['/api/coches', '/api/cars/none', '200', '404']) expect(attributes).toContain(part);
});
