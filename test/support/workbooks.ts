/** Workbooks of any parts, as no spreadsheet program would write them. */
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
export const relations = (...all: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships>${all.map(([type, target], at) => `<Relationship Id="r${at}" Type="${TYPES}/${type}" Target="${target}"/>`).join('')}</Relationships>`;

type Parts = Readonly<Record<string, string | Buffer>>;

/** What every workbook has, but for its sheet, its texts and its styles. */
export const frame: Parts = {
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': '<workbook xmlns:r="x"><sheets><sheet name="a" r:id="r0"/></sheets></workbook>',
  'xl/_rels/workbook.xml.rels': relations(
    ['worksheet', 'worksheets/sheet1.xml'],
    ['sharedStrings', '/xl/texts.xml'],
    ['styles', 'styles.xml'],
  ),
  'xl/worksheets/sheet1.xml': '<worksheet/>',
  'xl/texts.xml': '<sst/>',
  'xl/styles.xml': '<styleSheet/>',
};

export const zipped = async (all: Parts, compress = true): Promise<Buffer> => {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(all)) {
    // To compress nothing takes half a millisecond, and to compress it well twice as long as quickly.
    zip.addBuffer(Buffer.from(content), name, { compressionLevel: compress && content.length > 0 ? 1 : 0 });
  }
  zip.end();
  return buffer(zip.outputStream);
};

/** @param parts in place of those that every workbook has, and beside them */
export const workbook = (parts: Parts): Promise<Buffer> => zipped({ ...frame, ...parts });
