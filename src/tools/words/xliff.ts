/** XLIFF 2.1 (OASIS): the file of a language that tools of translators open. */
import { SaxesParser } from 'saxes';
import type { Row, Unit } from './exchange.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/** Characters that XML forbids (XML 1.0, §2.2) are replaced: an import tells that the text is another one. */
function escapeText(text: string): string {
  return text.replaceAll(
    /[&<>"\r\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g,
    (character) => ENTITIES[character] ?? '\ufffd',
  );
}

/** The id of a unit is an NMTOKEN, so its key is its name. */
function writeUnit({ key, source, note, seen, present }: Unit): string {
  const notes = Object.entries({ note, seen, present });
  return `    <unit id="${key.replaceAll(/[^\w.-]/g, '_')}" name="${escapeText(key)}">
      <notes>
${notes.map(([category, text]) => `        <note category="${category}">${escapeText(text)}</note>\n`).join('')}      </notes>
      <segment state="${present === '' ? 'initial' : 'translated'}">
        <source>${escapeText(source)}</source>
${present === '' ? '' : `        <target>${escapeText(present)}</target>\n`}      </segment>
    </unit>
`;
}

/** @returns a document that has the units of each file of the table, which are different files here, too */
export function writeXliff(units: readonly Unit[], source: string, target: string): string {
  const files = Object.entries(Object.groupBy(units, ({ file }) => file)).map(
    ([name, own = []], at) => `  <file id="f${at + 1}" original="${name}">\n${own.map(writeUnit).join('')}  </file>\n`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="${source}" trgLang="${target}" xml:space="preserve">
${files.join('')}</xliff>
`;
}

/** An element by its name without a prefix. */
interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: (Element | string)[];
}

function parseXml(text: string): Element {
  const root: Element = { name: '', attributes: {}, content: [] };
  const open = [root];
  const add = (part: Element | string) => void open.at(-1)?.content.push(part);
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type');
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name: name.slice(name.indexOf(':') + 1), attributes, content: [] };
    add(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root;
}

function listChildren({ content }: Element, ...names: readonly string[]): readonly Element[] {
  return content.filter((part): part is Element => typeof part !== 'string' && names.includes(part.name));
}

function listUnits(element: Element): readonly Element[] {
  return [
    ...listChildren(element, 'unit'),
    ...listChildren(element, 'file', 'group').flatMap((child) => listUnits(child)),
  ];
}

function joinText(element: Element | undefined): string | undefined {
  return element?.content.map((part) => (typeof part === 'string' ? part : joinText(part))).join('');
}

function readUnit(unit: Element): Row {
  // A tool may have split the text into several segments, and have left some of them untranslated.
  const segments = listChildren(unit, 'segment', 'ignorable').map((segment) => {
    const [source, target] = ['source', 'target'].map((name) => joinText(listChildren(segment, name)[0]));
    return { source, target: target ?? (segment.name === 'ignorable' ? source : undefined) };
  });
  const notes = listChildren(unit, 'notes').flatMap((list) => listChildren(list, 'note'));
  return {
    key: unit.attributes.name ?? '',
    source: segments.map(({ source }) => source).join(''),
    present: joinText(notes.find(({ attributes }) => attributes.category === 'present')),
    text: segments.some(({ target }) => target === undefined)
      ? undefined
      : segments.map(({ target }) => target).join(''),
  };
}

/** @returns the units of a document, and the language of their targets. @throws Error if it is no XLIFF 2 */
export function readXliff(text: string): { readonly target: string; readonly rows: readonly Row[] } {
  const [document] = listChildren(parseXml(text), 'xliff');
  if (!document?.attributes.version?.startsWith('2.')) throw new Error('no XLIFF 2');
  return { target: document.attributes.trgLang ?? '', rows: listUnits(document).map(readUnit) };
}
