// Traces of every request, by OpenTelemetry: `node --import ./deploy/opentelemetry.js …`. Its packages are no part of the service;
// docs/monitoring.md says which to install. The variables of OpenTelemetry say where traces go.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** Milliseconds in which the last traces must be sent. The service takes 8 seconds to stop at the longest, of 10. */
const SENDING_MS = 500;

// Threads of the store are started with the same options.
if (isMainThread) {
  const { NodeSDK } = await import('@opentelemetry/sdk-node');
  const { HttpInstrumentation } = await import('@opentelemetry/instrumentation-http');
  const sdk = new NodeSDK({ instrumentations: [new HttpInstrumentation()] });
  sdk.start();
  // The first `require` puts the instrumentation into the module that everybody imports.
  createRequire(import.meta.url)('node:http');
  // What the last requests have left is sent before the process ends. It ends without a signal that this file could hear:
  // as soon as nothing is in flight.
  const { exit } = process;
  const late = () => new Promise((resolve) => setTimeout(resolve, SENDING_MS));
  process.exit = (code) => {
    const sent = sdk.shutdown().catch(() => {});
    void Promise.race([sent, late()]).then(() => exit.call(process, code));
  };
}
