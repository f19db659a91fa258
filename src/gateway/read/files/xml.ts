import { limits } from './limits.ts';
import { excess } from './text.ts';

/** Functions that are called as a document is read. Names have no prefix. */
export interface XmlHandlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Reads XML as it arrives, without entities but the five that XML has itself. Yields after each piece of the text, so that
 * other work can run.
 *
 * @throws Error where it is not well-formed, or has a document type
 */
export async function* readXml(
  chunks: AsyncIterable<string>,
  { open, text, close }: XmlHandlers,
): AsyncGenerator<void, void, undefined> {
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  let depth = 0;
  let sinceTag = 0;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type');
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    depth++;
    if (depth > limits.depth) throw excess('depth', limits.depth);
    open?.(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    depth--;
    close?.(localName(name));
  });
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  for await (const chunk of chunks) {
    sinceTag += chunk.length;
    parser.write(chunk);
    if (sinceTag > limits.text) throw excess('text', limits.text);
    yield;
  }
  parser.close();
}
