import { fileFormats } from '../../formats/formats.ts';
import type { Language } from '../../locale/language.ts';
import { vocabulary } from '../../locale/vocabulary.ts';
import type { Query } from '../../model/query.ts';
import { type Sentence, sentence, unknownSentence } from '../../texts/phrase.ts';
import { invalid, type ParameterName, throwAny, unknown } from './parameter.ts';
import { parseQuery } from './query.ts';

/** @returns a reader of queries that refuses those without a parameter, and any format but those of files where that is it */
export const requiring =
  (read: (search: string) => Query, language: Language, name: ParameterName) =>
  (search: string): Query => {
    const query = read(search);
    const word = language.parameters.word(name);
    const { format: value = '' } = query;
    const known = fileFormats.join(', ');
    const refuse = (detail: Sentence): void => throwAny([() => ({ ...invalid(word, detail)(), name })]);
    if (!query.sent.includes(name)) refuse(sentence('field-missing', { word }));
    if (name === 'format' && !fileFormats.includes(value))
      refuse(unknownSentence('format', { word, value, known }, undefined));
    return query;
  };

const NONE = vocabulary({}, []);

/** Checks the query of a URL that has no parameters. @throws Problem where there are any */
export const refuseQuery = (search: string): void => {
  if (search === '') return;
  const { values, errors } = parseQuery(search);
  throwAny([
    ...errors,
    ...[...values.keys()].map((word) => () => unknown(word, NONE, { detail: sentence('parameter-none', { word }) })),
  ]);
};
