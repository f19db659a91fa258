/** Adds the matchers to those of vitest 5, with their types: `import 'vocabulary-parity/vitest';` in a file of setup, or in a test. */
import { expect } from 'vitest';
import { matchers, type ParityMatchers } from './matchers.ts';

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends ParityMatchers<R> {}
}

expect.extend(matchers);
