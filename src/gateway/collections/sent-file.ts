import type { Exchange } from '../http/context.ts';
import type { FileDigest } from '../read/body/file-digest.ts';
import { boundaryIn, filePart } from '../read/body/multipart.ts';
import { charsetOfFile, formatOfFile, unsupportedFile } from '../read/content-type.ts';

/** @returns the file in a form, its format and its charset */
export const sentFile = async (c: Exchange, form: AsyncIterable<Uint8Array>, digest?: FileDigest) => {
  const part = await filePart(form, boundaryIn(c.req.raw.headers.get('content-type')) ?? '');
  if (!part) throw unsupportedFile(c.req.raw, 'multipart/form-data');
  const { fileName, contentType, content } = part;
  const format = formatOfFile(fileName, contentType);
  if (!format) throw unsupportedFile(c.req.raw, contentType);
  const body = async function* () {
    for await (const chunk of content) {
      digest?.update(chunk);
      yield chunk;
    }
  };
  return { body: body(), format, charset: charsetOfFile(c.req.raw, contentType, format) };
};
