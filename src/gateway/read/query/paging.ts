import { sentence } from '../../texts/phrase.ts';
import { NOTHING, once, type ParameterFactory } from './parameter.ts';
import { invalid } from './query-string.ts';

/** A parameter whose value is a whole number from 1. */
export const positiveInteger =
  (name: 'number_of_elements' | 'page', member: 'size' | 'page'): ParameterFactory =>
  ({ parameters }) => {
    const word = parameters.word(name);
    return [
      {
        name,
        word,
        kind: 'integer',
        isPure: true,
        parse: once(word, (value) =>
          /^\d+$/.test(value) && Number(value) > 0
            ? // A larger number is beyond the end of every list, too.
              { [member]: Math.min(Number(value), Number.MAX_SAFE_INTEGER) }
            : invalid(word, sentence('parameter-positive', { word })),
        ),
        format: ({ [member]: count }) => (count === undefined ? NOTHING : [String(count)]),
        schema: { type: 'integer', minimum: 1 },
        text: `parameter-${name}`,
      },
    ];
  };
