import { sentence } from '../../../texts/phrase.ts';
import { charsetIn, checkCoding, type FileFormat, type RequestHead, unsupported } from '../content-type.ts';
import { type Charset, charsetOf } from './text.ts';

/**
 * @returns the charset of a file
 * @throws Problem `unsupported-media-type` where the file is declared as compressed, or in an unsupported charset
 */
export const charsetOfFile = (request: RequestHead, format: FileFormat): Charset => {
  checkCoding(request);
  const sent = charsetIn(request.headers.get('content-type') ?? '');
  // A workbook declares its encoding itself.
  if (sent === undefined || format === 'xlsx') return 'utf-8';
  const charset = charsetOf(sent);
  if (charset === undefined || (format === 'ndjson' && charset !== 'utf-8')) {
    throw unsupported(request, 'Content-Type', sentence('charset', { sent }));
  }
  return charset;
};
