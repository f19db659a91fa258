import type { HeaderRecord } from '../http/headers.ts';
import type { Language } from '../locale/language.ts';
import type { Collection } from '../model/catalogue.ts';
import { fold } from '../model/search/fold.ts';

/** Encodes a text for a header (RFC 8187 §3.2.1), with some characters that `encodeURIComponent` leaves unchanged. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @returns an ASCII file name without escapes, for clients that support no other */
const plain = (text: string): string => fold(text).replaceAll(/[^\w.-]+/g, '_');

/**
 * @param extension without its dot
 * @returns the header that makes browsers save a list as a file, with a name in the language (RFC 6266)
 */
export const fileHeaders = (language: Language, { name, parent }: Collection, extension: string): HeaderRecord => {
  const file = `${language.paths(parent).word(name)}.${extension}`;
  const ascii = plain(file);
  const extended = ascii === file ? '' : `; filename*=UTF-8''${encode(file)}`;
  return { 'Content-Disposition': `attachment; filename="${ascii}"${extended}` };
};
