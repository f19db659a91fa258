import { command } from '../../../packages/parity/src/command.ts';
import type { Fetch } from '../../../packages/parity/src/kit/dictionary.ts';

/** Runs the command. @returns its exit code, and what it prints */
export async function runParity(args: readonly string[], get?: Fetch) {
  const printed: string[] = [];
  const code = await command(args, (text) => printed.push(text), get);
  return { code, text: printed.join('\n') };
}

/** Creates items by their lists. @throws Error if one is refused */
export async function createItems(send: Fetch, items: readonly (readonly [list: string, item: object])[]) {
  for (const [list, item] of items) {
    const headers = { 'content-type': 'application/json' };
    const response = await send(list, { method: 'POST', headers, body: JSON.stringify(item) });
    if (!response.ok) throw new Error(`${list}: ${response.status} ${await response.text()}`);
  }
}
