import { expect, test } from 'vitest';
import { catalogue } from '../../../src/catalogue.ts';
import { readConfig } from '../../../src/host/settings/config.ts';
import { createSay } from '../../../src/tools/commands/command-error.ts';
import { chooseLanguages, terminalLanguage } from '../../../src/tools/commands/language-choice.ts';

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
])('%j speaks %s', (environment, tag) => expect(terminalLanguage(environment)).toBe(tag));

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
    /^«fi» no es un idioma del servicio; los disponibles son: .*\ben\b.*\bes\b.*\.$/,
  );
});
