/** A thread that asks for an address again and again, and tells how many milliseconds each answer took once it is asked to. */
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

export interface Asker {
  readonly url: string;
  /** Milliseconds between two questions. */
  readonly pause: number;
}

const { url, pause }: Asker = workerData;
const agent = new Agent({ keepAlive: true });
const times: number[] = [];
let isOver = false;
parentPort?.once('message', () => (isOver = true));

const ask = (): Promise<void> =>
  new Promise((resolve, reject) => {
    request(url, { agent }, (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end();
  });
while (!isOver) {
  const begin = performance.now();
  await ask();
  times.push(performance.now() - begin);
  await setTimeout(pause);
}
agent.destroy();
parentPort?.postMessage(times);
