/** The Python kit as a wheel: a zip archive of its modules and what describes them (PEP 427), for which nothing of Python is needed. */
import { createHash } from 'node:crypto';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

const MODULE = 'vocabulary_parity';
/** The fixture of pytest, which pytest finds by itself. */
const PLUGIN = 'pytest_vocabulary_parity';
/** The oldest time that zip archives know: the same sources make the same archive. */
const mtime = new Date(1980, 0, 1);

/** @param folder of the package that the kit belongs to. @returns the name of the file */
export async function packWheel(folder: string, destination: string): Promise<string> {
  const { name, version, description, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const info = `${MODULE}-${version}.dist-info`;
  const metadata = [
    ...['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version}`, `Summary: ${description}`],
    ...[`License: ${license}`, 'Requires-Python: >=3.9', 'Description-Content-Type: text/markdown', ''],
    readFileSync(join(folder, 'README.md'), 'utf8'),
  ];
  const files: [path: string, content: Buffer][] = [
    [`${MODULE}.py`, readFileSync(join(folder, `python/${MODULE}.py`))],
    [`${PLUGIN}.py`, readFileSync(join(folder, `python/${PLUGIN}.py`))],
    [`${info}/entry_points.txt`, Buffer.from(`[pytest11]\n${MODULE} = ${PLUGIN}\n`)],
    [`${info}/LICENSE`, readFileSync(join(folder, 'LICENSE'))],
    [`${info}/METADATA`, Buffer.from(metadata.join('\n'))],
    [
      `${info}/WHEEL`,
      Buffer.from('Wheel-Version: 1.0\nGenerator: .ci/wheel.ts\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
    ],
  ];
  const record = files.map(
    ([path, content]) =>
      `${path},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}\n`,
  );
  const zip = new ZipFile();
  for (const [path, content] of files) zip.addBuffer(content, path, { mtime });
  zip.addBuffer(Buffer.from(`${record.join('')}${info}/RECORD,,\n`), `${info}/RECORD`, { mtime });
  zip.end();
  const file = `${MODULE}-${version}-py3-none-any.whl`;
  await pipeline(zip.outputStream, createWriteStream(join(destination, file)));
  return file;
}
