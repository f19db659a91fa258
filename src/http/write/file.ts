import type { Language } from '../../locale/language.ts';
import type { Collection } from '../../model/catalogue.ts';
import { fold } from '../../model/fold.ts';
import type { HeaderRecord } from '../headers.ts';

/** As RFC 8187 §3.2.1 has it: `encodeURIComponent` leaves some more as they are. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** In ASCII, for clients that know no other file names; no character of it needs an escape. */
const plain = (text: string): string => fold(text).replaceAll(/[^\w.-]+/g, '_');

/**
 * @param extension of the file, without its dot
 * @returns the headers of a list that browsers save as a file: a name in the language (RFC 6266)
 */
export const fileHeaders = (
  language: Language,
  { name, parent }: Collection,
  contentType: string,
  extension: string,
): HeaderRecord => {
  const file = `${language.paths(parent).word(name)}.${extension}`;
  const ascii = plain(file);
  const extended = ascii === file ? '' : `; filename*=UTF-8''${encode(file)}`;
  return {
    'Content-Type': contentType,
    'Content-Language': language.tag,
    'Content-Disposition': `attachment; filename="${ascii}"${extended}`,
  };
};
