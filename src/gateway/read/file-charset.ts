import type { ReadableFormat } from '../formats/format.ts';
import { sentence } from '../texts/phrase.ts';
import { charsetIn, checkCoding, type RequestHead, unsupported } from './content-type.ts';
import { type Charset, charsetOf } from './files/text.ts';

/**
 * @returns the charset of a file
 * @throws Problem `unsupported-media-type` where the file is declared as compressed, or in an unsupported charset
 */
export const charsetOfFile = (request: RequestHead, { reading: { charsets } }: ReadableFormat): Charset => {
  checkCoding(request);
  const sent = charsetIn(request.headers.get('content-type') ?? '');
  if (sent === undefined || !charsets) return 'utf-8';
  const charset = charsetOf(sent);
  if (charset === undefined || !charsets.includes(charset)) {
    throw unsupported(request, 'Content-Type', sentence('charset', { sent }));
  }
  return charset;
};
