/** The types of the matchers for jest: `import 'vocabulary-parity/jest';` beside `expect.extend(matchers)`. */
import type { ParityMatchers } from './matchers.ts';

declare global {
  namespace jest {
    interface Matchers<R> extends ParityMatchers<R> {}
  }
}
