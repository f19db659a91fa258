import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableFormats } from '../../../src/gateway/formats/formats.ts';
import { createRepresentation, type Format } from '../../../src/gateway/formats/representation.ts';
import { createTrees } from '../../../src/gateway/http/urls.ts';
import { createLanguages } from '../../../src/gateway/locale/language.ts';
import type { Collection } from '../../../src/gateway/model/catalogue.ts';
import type { Cell, Field } from '../../../src/gateway/model/field.ts';
import { createValueChecker } from '../../../src/gateway/model/kinds/kinds.ts';
import type { Row } from '../../../src/gateway/port/port.ts';
import { Problem } from '../../../src/gateway/texts/problem.ts';
import { streamList } from '../../../src/gateway/write/list.ts';
import { loadLocales } from '../../../src/host/tables/load.ts';
import { localesFolder } from '../../support/app/app.ts';
import { catalogue } from '../../support/cars/catalogue.ts';
import { readAll } from '../../support/files.ts';

const languages = createLanguages(catalogue, loadLocales(catalogue, localesFolder, 'en'), 'en');
const trees = createTrees(catalogue, languages);

const hostile = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'",;\t\r\n=+-@\' \uFEFF\u00A0ñ😀\\<&_x0#') }),
  fc.constantFrom(
    ...['', '#', '# a', '=1+1', '_x0041_', '_x005F_x0041_', ']]>', 'true', '1', '2008.0'],
    ...['\u0001', '\uFFFE', '\u2028', '\r', '\r\n', '"'],
  ),
  fc.string({ unit: 'grapheme' }),
  fc.constant('ñ"😀\r\n'.repeat(30)),
);

const cellOf = (field: Field): fc.Arbitrary<Cell | undefined> => {
  const check = createValueChecker(field);
  const values: Readonly<Record<string, fc.Arbitrary<string | number>>> = {
    text: hostile,
    // Blanks at its ends are no part of it.
    key: hostile.map((text) => text.trim()),
    integer: fc.integer(field),
    flag: fc.constantFrom(0, 1),
  };
  const valid = (values[field.kind] ?? hostile).filter(
    (value) => check(field.kind === 'flag' ? value === 1 : value).fault === undefined,
  );
  return field.required || field.isKey ? valid : fc.option(valid, { nil: undefined });
};

const rowOf = ({ fields }: Collection) => fc.tuple(...fields.map(cellOf));

const fileOf = async (
  tree: (typeof trees)[number],
  collection: Collection,
  format: Format,
  rows: readonly (readonly (Cell | undefined)[])[],
): Promise<Buffer> => {
  const stored = rows.map((cells): Row => [1, ...cells.map((cell) => cell ?? null)]);
  const { list, pack } = createRepresentation(format, tree.language, collection);
  const text = streamList({ rows: stored }, list, () => {});
  return buffer(pack ? pack(text) : text);
};

const RUNS: Readonly<Record<string, number>> = { csv: 40, xlsx: 10 };
const runsOf = (format: string): number => RUNS[format] ?? 30;

const kinds = trees.flatMap((tree) =>
  catalogue.flatMap((collection) =>
    readableFormats.map(
      (format) => [format.name, collection.name, tree.language.tag, tree, collection, format] as const,
    ),
  ),
);

test.each(kinds)(
  '%s of %s in %s is read back as it was written',
  async (name, _collection, _tag, tree, collection, format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf(collection), { maxLength: 4 }), async (rows) => {
        const read = await readAll(tree, name, [await fileOf(tree, collection, format, rows)], collection);
        expect(read.flatMap(({ errors }) => errors)).toEqual([]);
        expect(read.map(({ cells }) => cells)).toEqual(rows);
      }),
      { numRuns: runsOf(name) },
    );
  },
);

/** A file with some bytes changed, lost or repeated. */
const broken = (bytes: Buffer) =>
  fc
    .array(fc.tuple(fc.nat(bytes.length), fc.nat(40), fc.uint8Array({ maxLength: 6 })), { minLength: 1, maxLength: 4 })
    .map((edits) =>
      edits.reduce(
        (file, [at, lost, added]) => Buffer.concat([file.subarray(0, at), added, file.subarray(at + lost)]),
        bytes,
      ),
    );

test.each(readableFormats)('$name that is broken is a problem, or has errors, or is read', async (format) => {
  const [tree] = trees;
  const [cars] = catalogue;
  if (!tree || !cars) throw new TypeError('nothing to read');
  const row = ['a-1', 'Citroën', 'C4 "x"', 2008, 5, 109, 'a,b\r\n', 1, 0, ''];
  const file = await fileOf(tree, cars, format, [row, row, row]);
  await fc.assert(
    fc.asyncProperty(broken(file), async (bytes) => {
      const problem: unknown = await readAll(tree, format.name, [bytes]).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (problem !== undefined) expect(problem).toBeInstanceOf(Problem);
    }),
    { numRuns: 2 * runsOf(format.name) },
  );
});
