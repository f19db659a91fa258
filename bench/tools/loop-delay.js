// Loaded into the server with --import: tells its event loop's delay to whoever asks over the IPC channel.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('message', (message) => {
  if (message === 'reset') delay.reset();
  else process.send?.({ p999: delay.percentile(99.9) / 1e6, max: delay.max / 1e6 });
});
process.channel?.unref();
