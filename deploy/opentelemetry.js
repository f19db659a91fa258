// Traces of every request, by OpenTelemetry: `node --import ./deploy/opentelemetry.js …`. Its packages are no part of the service;
// docs/monitoring.md says which to install. The variables of OpenTelemetry say where traces go.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// Threads of the store are started with the same options.
if (isMainThread) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http');
  const sdk = new NodeSDK({ instrumentations: [new HttpInstrumentation()] });
  sdk.start();
  // The first `require` puts the instrumentation into the module that everybody imports.
  createRequire(import.meta.url)('node:http');
  // What the last requests have left is sent while they finish.
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void sdk.shutdown().catch(() => {}));
}
