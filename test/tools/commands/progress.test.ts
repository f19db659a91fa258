import { expect, test } from 'vitest';
import { createSay } from '../../../src/tools/commands/command-error.ts';
import { progressLine } from '../../../src/tools/commands/progress.ts';
import { en, es } from '../../support/language/spoken.ts';

test.each([
  [en, 'reading-rows', 0, 0, 0, 'reading 0 %, 0 rows, 0 rows/s'],
  [en, 'reading-rows', 0.25, 12_500, 10, 'reading 25 %, 12,500 rows, 1,250 rows/s 0:30 left'],
  [en, 'storing-rows', 0.5, 60_000, 60, 'storing 50 %, 60,000 rows, 1,000 rows/s 1:00 left'],
  [es, 'writing-rows', 0.5, 100_000, 10, 'escribiendo: 50 %, 100\u00a0000 filas, 10\u00a0000 filas/s quedan 0:10'],
  [en, 'storing-rows', 1, 1, 1, 'storing 100 %, 1 row, 1 rows/s 0:00 left'],
  [es, 'writing-rows', 1, 1, 1, 'escribiendo: 100 %, 1 fila, 1 filas/s quedan 0:00'],
  [es, 'storing-rows', 1, 10, 1, 'guardando: 100 %, 10 filas, 10 filas/s quedan 0:00'],
] as const)('%#', ({ language }, step, share, rows, seconds, line) => {
  expect(progressLine(createSay(language.commands), step, share, rows, seconds)).toBe(line);
});
