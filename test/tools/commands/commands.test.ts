import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../src/catalogue.ts';
import { unavailable } from '../../../src/gateway/port/unavailable.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import { createSay } from '../../../src/tools/commands/command-error.ts';
import { chooseLanguages } from '../../../src/tools/commands/language-choice.ts';
import { readArguments, type Usage } from '../../../src/tools/commands/options.ts';
import { describeError } from '../../../src/tools/commands/run.ts';
import { readTerminalLanguage } from '../../../src/util/terminal-language.ts';
import { en, es } from '../../support/language/spoken.ts';

const say = createSay(en.language.commands);
const ANY: Usage['operands'] = [0, Number.POSITIVE_INFINITY];
const usage: Usage = { command: 'npm run x', flags: ['lenient'], options: ['language', 'list'], operands: ANY };
const withParameters: Usage = { ...usage, repeatable: 'all' };

const pairs = (all: Iterable<readonly [string, string]>): string => Array.from(all, (each) => each.join(':')).join(' ');
/** What was typed, as text. */
const typed = (args: readonly string[], of: Usage): readonly string[] => {
  const { faults, operands, flags, options, parameters } = readArguments(args, of);
  expect(faults).toEqual([]);
  return [operands.join(' '), [...flags].join(' '), pairs(options), pairs(parameters)];
};

test.each([
  ['', '', '', '', ''],
  ['a.csv b.csv', 'a.csv b.csv', '', '', ''],
  ['--lenient a.csv', 'a.csv', 'lenient', '', ''],
  ['--language es a.csv --list=oils', 'a.csv', '', 'language:es list:oils', ''],
  ['--marca Seat --marca=a=b --x= --lenient', '', 'lenient', '', 'marca:Seat marca:a=b x:'],
  // Values that begin with a dash, and files that do.
  ['--year -1 - --y=--x', '-', '', '', 'year:-1 y:--x'],
  ['-- --lenient', '--lenient', '', '', ''],
  ['--__proto__ x --constructor=y', '', '', '', '__proto__:x constructor:y'],
])('%s', (line, ...parts) => {
  expect(typed(line.split(' ').filter(Boolean), withParameters)).toEqual(parts);
});

test.each([
  [['--help'], true],
  [['--lenient=x', '--zap', '--help'], true],
  [['-h'], false],
  [['--', '--help'], false],
])('help: %j', (args, isHelp) => expect(readArguments(args, usage).isHelp).toBe(isHelp));

test('the language is known whatever else is wrong', () => {
  expect(readArguments(['--zap', '--language', 'es', '--language'], usage).options.get('language')).toBe('es');
  expect(readArguments(['--zap', '--language=es', '--lenient=1'], usage).options.get('language')).toBe('es');
});

describe('faults', () => {
  test.each<readonly [readonly string[], Partial<Usage>, readonly string[]]>([
    [['--zap'], {}, ['“--zap” is not an option of this command.']],
    [['--zap', 'a.csv'], { operands: [1, 1] }, ['“--zap” is not an option of this command.']],
    [
      ['--zap=secret', '-r'],
      {},
      ['“--zap” is not an option of this command.', '“-r” is not an option of this command.'],
    ],
    [['--lenient=secret'], {}, ['--lenient takes no value.']],
    [['--list'], {}, ['--list needs a value.']],
    [['--list', '--lenient'], {}, ['--list needs a value.']],
    [['--marca'], { repeatable: 'all' }, ['--marca needs a value.']],
    [['--list=a', '--list', 'b', '--marca=a', '--marca=b'], { repeatable: 'all' }, ['--list can be given only once.']],
    [['--language', 'en', '--language=es'], {}, ['--language can be given only once.']],
    [['a'], { operands: [0, 0] }, ['“npm run x” takes nothing but options.']],
    [[], { operands: [1, 1] }, ['Name one file.']],
    [['a', 'b'], { operands: [1, 1] }, ['Name one file.']],
    [[''], { operands: [1, 1] }, ['Name one file.']],
    [[], { operands: [1, 2] }, ['Name the files to import.']],
  ])('%j', (args, more, faults) => {
    const of = { ...usage, ...more } as Usage;
    expect(readArguments(args, of).faults.map(([text, values]) => say(text, values))).toEqual(faults);
  });
});

test.each<readonly [NodeJS.ProcessEnv, string | undefined]>([
  [{ LANG: 'es_ES.UTF-8' }, 'es-ES'],
  [{ LANG: 'es' }, 'es'],
  [{ LANG: 'ca_ES@valencia' }, 'ca-ES'],
  [{ LANG: 'en_GB.UTF-8', LC_MESSAGES: 'es_MX.UTF-8' }, 'es-MX'],
  [{ LANG: 'es_ES.UTF-8', LC_MESSAGES: 'pt_PT', LC_ALL: 'en_US' }, 'en-US'],
  [{ LANG: 'es_ES', LC_ALL: '' }, 'es-ES'],
  [{ LANG: 'C' }, undefined],
  [{ LANG: 'C.UTF-8' }, undefined],
  [{ LANG: 'POSIX' }, undefined],
  [{}, undefined],
])('%j speaks %s', (environment, tag) => expect(readTerminalLanguage(environment)).toBe(tag));

test.each([
  // asked for, the terminal's, the default; what is said, the data's words
  [undefined, undefined, 'en', 'en', 'en', false],
  [undefined, undefined, 'es', 'es', 'es', false],
  [undefined, 'es-ES', 'en', 'es', 'en', true],
  [undefined, 'fi-FI', 'es', 'es', 'es', false],
  ['es', 'en-GB', 'en', 'es', 'es', true],
  ['ES-mx', undefined, 'en', 'es', 'es', true],
  ['en', 'es', 'es', 'en', 'en', true],
])('asked for %s, terminal %s, default %s: says it in %s, data in %s', (asked, terminal, usual, said, data, chosen) => {
  const options = new Map(asked === undefined ? [] : [['language', asked]]);
  const caller = chooseLanguages(catalogue, readConfig({ DEFAULT_LANGUAGE: usual }), options, terminal, true);
  expect([caller.outputLanguage.tag, caller.language.tag, caller.hasChosen, caller.unknownLanguage]).toEqual([
    said,
    data,
    chosen,
    [],
  ]);
});

test('a language that the service has not is refused, in the terminal’s', () => {
  const { outputLanguage, unknownLanguage } = chooseLanguages(
    catalogue,
    readConfig({}),
    new Map([['language', 'fi']]),
    'es-ES',
    true,
  );
  expect(unknownLanguage.map(([text, values]) => createSay(outputLanguage.commands)(text, values)).join('\n')).toMatch(
    /^«fi» no es un idioma del servicio; hay estos: .*\ben\b.*\bes\b.*\.$/,
  );
});

test('a database that does its work no more is told of without a stack trace', () => {
  const { language } = es;
  const choice = { outputLanguage: language, language };
  const lines = (cause: Error) => describeError(unavailable(cause), choice, 'npm run import');
  const sentence = 'La base de datos no responde en este momento. Vuelva a intentarlo dentro de unos segundos.';
  expect(lines(new Error('database or disk is full'))).toEqual([sentence, 'database or disk is full']);
  // As where no address of a host answers.
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(lines(refused)).toEqual([sentence, 'ECONNREFUSED']);
});
