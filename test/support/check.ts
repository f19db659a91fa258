/** `npm run check`: what no test looks at. Side by side, because each part uses one core for most of its time. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { installTestPackages } from './packages.ts';

const scripts = ['check:types', 'check:browser', 'check:style', 'check:unused'];
const cwd = fileURLToPath(new URL('../..', import.meta.url));

/** Prints what a script finds. @returns whether it finds nothing */
const run = async (script: string): Promise<boolean> => {
  const child = spawn(process.execPath, ['--run', script], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on('error', reject).on('close', resolve);
  const [code, ...printed] = await Promise.all([promise, text(child.stdout), text(child.stderr)]);
  if (code !== 0) console.error(`${script} failed\n${printed.join('')}`);
  return code === 0;
};

installTestPackages();
const results = await Promise.all(scripts.map(run));
if (results.includes(false)) process.exitCode = 1;
