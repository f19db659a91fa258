/** The file in a body of `multipart/form-data` (RFC 7578), as browsers and `curl -F` send it. */
import { sentence } from '../../texts/phrase.ts';
import { Problem } from '../../texts/problem.ts';

const TYPE = /^\s*multipart\/form-data\s*;(?:[^"]*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i;
const FILE_NAME = /;\s*filename="?([^"\r\n]*)/i;
/** Bytes of the headers of a part. */
const HEADERS = 8_192;
const END = '\r\n\r\n';

/** @returns the boundary of the parts of a body; `undefined` where it has none */
export const boundaryIn = (contentType: string | null): string | undefined => {
  const [, quoted, bare] = TYPE.exec(contentType ?? '') ?? [];
  return quoted ?? bare;
};

export interface FilePart {
  readonly fileName: string;
  /** Empty where it is not declared. */
  readonly contentType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

const malformed = (): Problem => new Problem('malformed-file', sentence('multipart', {}));

/**
 * @returns the part of a body, whose content is read as it arrives; `undefined` where it does not begin with a file
 * @throws Problem `malformed-file` where the body has anything but one file
 */
export const filePart = async (body: AsyncIterable<Uint8Array>, boundary: string): Promise<FilePart | undefined> => {
  const chunks = body[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const arrives = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (!done) rest = Buffer.concat([rest, value]);
    return !done;
  };
  const more = async (): Promise<void> => {
    if (!(await arrives())) throw malformed();
  };
  let end = rest.indexOf(END);
  for (; end === -1; end = rest.indexOf(END)) {
    if (rest.length > HEADERS || !(await arrives())) return undefined;
  }
  const [first, ...headers] = rest.toString('utf8', 0, end).split('\r\n');
  const [, fileName] = FILE_NAME.exec(headers.find((line) => /^content-disposition:/i.test(line)) ?? '') ?? [];
  if (first !== `--${boundary}` || fileName === undefined) return undefined;
  rest = rest.subarray(end + END.length);

  const delimiter = `\r\n--${boundary}`;
  const content = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for (let at = rest.indexOf(delimiter); ; at = rest.indexOf(delimiter)) {
        // What may be the beginning of a delimiter waits for the next chunk.
        const known = at === -1 ? rest.length - delimiter.length : at;
        if (known > 0) yield rest.subarray(0, known);
        rest = rest.subarray(Math.max(known, 0));
        if (at !== -1) break;
        await more();
      }
      while (rest.length < delimiter.length + 2) await more();
      if (rest.toString('latin1', delimiter.length, delimiter.length + 2) !== '--') throw malformed();
      while (!(await chunks.next()).done);
    } finally {
      await chunks.return?.();
    }
  };
  const contentType = headers.find((line) => /^content-type:/i.test(line))?.slice('content-type:'.length) ?? '';
  return { fileName, contentType: contentType.trim(), content: content() };
};
