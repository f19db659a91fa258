// Apart from vitest.config.ts: these tests take minutes, need files that are not in the repository, and measure, so that
// nothing may run beside them.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/soak/**/*.soak.ts'],
    testTimeout: 15 * 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
    disableConsoleIntercept: true,
  },
});
