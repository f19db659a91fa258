/** XLIFF 2.1 (OASIS): the file of a language that tools of translators open. */
import { SaxesParser } from 'saxes';
import type { Row, Unit } from './exchange.ts';

/** Characters that XML forbids (XML 1.0, §2.2), which XLIFF writes as elements, and those that would be read otherwise. */
const SPECIAL = /[&<>\r\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#13;' };

function escapeText(text: string): string {
  return text.replaceAll(
    SPECIAL,
    (character) =>
      ENTITIES[character] ?? `<cp hex="${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}"/>`,
  );
}

/** Notes are plain text, without elements. */
function escapeNote(text: string): string {
  return escapeText(text).replaceAll(/<cp[^<>]*>/g, '\ufffd');
}

/** @returns the key as an NMTOKEN, which the id of a unit must be */
function toId(key: string): string {
  return key.replaceAll(/[^A-Za-z0-9.-]/gu, (character) => `_${character.codePointAt(0)?.toString(16)}_`);
}

function fromId(id: string): string {
  return id.replaceAll(/_([0-9a-f]{1,6})_/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

function writeUnit({ key, source, note, seen, present }: Unit): string {
  const notes = Object.entries({ note, seen, present });
  return `    <unit id="${toId(key)}" name="${escapeNote(key).replaceAll('"', '&quot;')}">
      <notes>
${notes.map(([category, text]) => `        <note category="${category}">${escapeNote(text)}</note>\n`).join('')}      </notes>
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

function newUnit(key: string) {
  return { key, source: '', present: undefined as string | undefined, text: '', isWhole: true };
}

/** @returns the units of a document, and the language of their targets. @throws Error if it is no XLIFF 2 */
export function readXliff(text: string): { readonly target: string; readonly rows: readonly Row[] } {
  const rows: Row[] = [];
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  const path: string[] = [];
  /** What the unit has so far; a tool may have split its texts into several segments. */
  let unit = newUnit('');
  let segment: { source: string; target?: string } = { source: '' };
  let language = '';
  const add = (piece: string): void => {
    const [part, parent] = [path.findLast((name) => ['source', 'target', 'note'].includes(name)), path.at(-2)];
    if (part === 'note' && parent === 'notes:present') unit.present = (unit.present ?? '') + piece;
    if (part === 'source') segment.source += piece;
    if (part === 'target') segment.target = (segment.target ?? '') + piece;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type');
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on(
    'opentag',
    ({ name: prefixed, attributes: { version = '', trgLang = '', id = '', category, hex = '' } }) => {
      const name = prefixed.slice(prefixed.indexOf(':') + 1);
      if (path.length === 0) {
        if (name !== 'xliff' || !version.startsWith('2.')) throw new Error('no XLIFF 2');
        language = trgLang;
      }
      if (name === 'unit') unit = newUnit(fromId(id));
      if (name === 'segment' || name === 'ignorable') segment = { source: '' };
      if (name === 'cp') add(String.fromCodePoint(Number.parseInt(hex, 16)));
      path.push(...(name === 'note' ? [`notes:${category}`] : []), name);
      add('');
    },
  );
  parser.on('closetag', () => {
    const name = path.pop();
    if (name === 'note') path.pop();
    if (name === 'segment' || name === 'ignorable') {
      const { source, target = name === 'ignorable' ? source : undefined } = segment;
      unit.isWhole &&= target !== undefined;
      unit.source += source;
      unit.text += target ?? '';
    }
    if (name === 'unit') rows.push({ ...unit, text: unit.isWhole ? unit.text : undefined });
  });
  parser.write(text).close();
  return { target: language, rows };
}
