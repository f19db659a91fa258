/** Packs a sheet that is read bit by bit, and the small files beside it. */
import { PassThrough, pipeline, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** The earliest time of a zip file, in place of now: the same rows are the same bytes. */
const STAMP = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** @returns the archive as it is read, with backpressure */
export function zipSheet(parts: Readonly<Record<string, string>>, name: string, sheet: ReadableStream<Uint8Array>) {
  const source = Readable.fromWeb(sheet);
  const packed = new PassThrough();
  const zip = new ZipFile();
  // A reader that goes away ends the sheet, and a sheet that breaks off ends the workbook.
  packed.on('close', () => source.destroy());
  source.on('error', (error) => packed.destroy(error));
  zip.on('error', (error) => packed.destroy(error));
  for (const [part, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), part, STAMP);
  // The fastest level: workbooks are a third larger than by default, and take two thirds of the time.
  zip.addReadStream(source, name, { ...STAMP, compressionLevel: 1 });
  zip.end();
  pipeline(zip.outputStream, packed, () => {});
  return Readable.toWeb(packed);
}
