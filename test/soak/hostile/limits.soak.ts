/** The limits of what a workbook unpacks to that take seconds to reach: at each, one byte below and one beyond. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { fileProblem } from '../../support/files.ts';
import { en } from '../../support/language/spoken.ts';
import { frame } from '../../support/workbooks.ts';

const MiB = 1_048_576;
const BLANKS = `<a>${' '.repeat(MiB - 7)}</a>`;

/** @returns XML of so many bytes between two tags */
function* blanks(name: string, size: number): Generator<string> {
  const [open, close] = [`<${name}>`, `</${name}>`];
  const inside = size - open.length - close.length;
  yield open;
  for (let left = inside; left >= MiB; left -= MiB) yield BLANKS;
  yield ' '.repeat(inside % MiB);
  yield close;
}

const OWN = Object.values(frame).reduce((sum, part) => sum + part.length, 0);

/** A workbook whose part has a size; noise beside it makes it large enough to unpack to that. */
const withPart = (path: string, root: string, size: number): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(frame)) {
    if (name !== path) zip.addBuffer(Buffer.from(content), name, { compress: false });
  }
  zip.addReadStream(Readable.from(blanks(root, size)), path, { size });
  zip.addBuffer(randomBytes(11 * MiB), 'noise', { compress: false });
  zip.end();
  return buffer(zip.outputStream);
};

/** The header's row, which a file must have, is missing: what is read to its end is empty. */
const EMPTY = ['The file is empty. Its first row must have the names of the columns.'];

test.each([
  ['a part other than the sheet', 'xl/texts.xml', 'sst', 128 * MiB, '128 MiB'],
  ['all parts together', 'xl/worksheets/sheet1.xml', 'worksheet', 1_024 * MiB - OWN + '<worksheet/>'.length, '1 GiB'],
] as const)('%s', async (_, path, root, size, limit) => {
  for (const beyond of [-1, 0, 1]) {
    const file = await withPart(path, root, size + beyond);
    const said = await fileProblem(en, 'xlsx', [file]);
    if (beyond <= 0) expect(said).toEqual(EMPTY);
    else expect(said.join()).toContain(`must not be larger than ${limit}.`);
  }
});
