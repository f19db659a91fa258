import { expect, test } from 'vitest';
import { unavailable } from '../../../src/gateway/port/unavailable.ts';
import { errorLines } from '../../../src/tools/commands/run.ts';
import { es } from '../../support/language/spoken.ts';

test('a database that does its work no more is told of without a stack trace', () => {
  const { language } = es;
  const choice = { outputLanguage: language, language };
  const lines = (cause: Error) => errorLines(unavailable(cause), choice, 'npm run import');
  const sentence = 'La base de datos no responde en este momento. Vuelva a intentarlo dentro de unos segundos.';
  expect(lines(new Error('database or disk is full'))).toEqual([sentence, 'database or disk is full']);
  // As where no address of a host answers.
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(lines(refused)).toEqual([sentence, 'ECONNREFUSED']);
});
