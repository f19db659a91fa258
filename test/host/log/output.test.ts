import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

/** Of 900 bytes each, after one for which a socket has no room: in all less than are buffered. */
const LINES = 500;
const LONG = 400_000;
const PROGRAM = `
  import { createLog } from './src/host/log/log.ts';
  const log = createLog({ level: 'info', format: 'pretty' });
  process.on('exit', log.close);
  log.info('.'.repeat(${LONG}));
  for (let at = 0; at < ${LINES}; at++) log.info('line ' + at + ' ' + '.'.repeat(850));
  process.stdout.write('ending');
`;

const checkLines = (told: string): void => {
  const [long = '', ...lines] = told.trimEnd().split('\n');
  expect(/\.+$/.exec(long)?.[0]).toHaveLength(LONG);
  expect(lines).toHaveLength(LINES);
  expect(lines.at(-1)).toContain(`line ${LINES - 1} `);
};

test('a reader that begins only when the process ends gets all lines', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await once(child.stdout, 'data');
  checkLines(await text(child.stderr));
});

test('a slow reader gets the rest although nothing more is logged', async () => {
  const program = `${PROGRAM}; setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (part) => {
    told += part;
  });
  await expect.poll(() => told.endsWith('\n') && told.includes(`line ${LINES - 1} `), { timeout: 30_000 }).toBe(true);
  checkLines(told);
});

test('a reader that never reads holds the end up for a moment only, also where the clock is set back meanwhile', async () => {
  const program = `let time = Date.now(); Date.now = () => (time -= 3_600_000); ${PROGRAM}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});
