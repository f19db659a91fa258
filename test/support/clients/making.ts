import { onTestFinished } from 'vitest';
import { command } from '../../../clients/generate/command.ts';
import type { Fetch } from '../../../kit/src/dictionary.ts';
import { openApp, type TestOptions } from '../app/app.ts';

export const ORIGIN = 'http://catalogue.test';

/** Makes clients of a service. @returns the exit code, and what is printed */
export const make = async (options: TestOptions, ...args: readonly string[]) => {
  const { app, close } = await openApp({ ...options });
  onTestFinished(() => close());
  const get: Fetch = async (url, init) => app.request(url.slice(ORIGIN.length), init);
  const printed: string[] = [];
  const code = await command([ORIGIN, ...args], (text) => printed.push(text), get);
  return { code, text: printed.join('\n') };
};
