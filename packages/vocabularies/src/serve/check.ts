/** The command `check`: what tables say of a document. */
import { readCatalogueTable } from '../catalogue-table.ts';
import { Document, type Fault, VocabularyError, writeFault } from '../document.ts';
import { Vocabulary } from '../nodes.ts';
import { readRoutes } from '../paths.ts';
import { checkTable, type Table, Words } from '../table.ts';
import { addressesOf } from '../translate-document.ts';
import { type Options, Translator } from '../translator.ts';
import { isObject, type Json } from '../words.ts';
import { listNames, type Name } from './names.ts';
import { HEADINGS, type Language } from './texts.ts';

export interface OutputOptions {
  readonly json: boolean;
  readonly language: Language;
}

/** Prints what the tables say of a document. @returns 1 if the start would stop */
export function check(options: Options, { json, language }: OutputOptions): number {
  const report = createReport(options);
  const text = json ? `${JSON.stringify(report, null, 2)}\n` : writeReport(report, HEADINGS[language]);
  process.stdout.write(escapeControls(text));
  return report.faults.length === 0 ? 0 : 1;
}

function createReport(options: Options) {
  const { document: content, tables } = options;
  const document = new Document(content);
  const routes = readRoutes(document);
  const words = Object.entries(tables).flatMap(([tag, table]) => {
    const content = isObject(table) && 'fields' in table ? readCatalogueTable(table, document) : table;
    return checkTable(tag, content).length === 0 ? [new Words(tag, content as Table)] : [];
  });
  const vocabularies = words.map((tableWords) => {
    const names = listNames(document, routes, new Vocabulary(tableWords, words, document, routes));
    return {
      tag: tableWords.tag,
      words: names.filter(({ word }) => word !== undefined),
      missing: names.filter(({ word }) => word === undefined),
      shared: listShared(names),
      unused: tableWords.listUnused(),
    };
  });
  // Some faults of a document show only when its schemas are read, before which the start may have stopped.
  const all = [...findFaults(options), ...document.faults];
  const faults = [...new Map(all.map((fault) => [`${fault.file} ${fault.pointer}`, fault])).values()];
  const addresses = faults.length === 0 ? addressesOf(content, tables) : [];
  return {
    faults,
    vocabularies,
    undescribed: [...document.notices.map(writeFault), ...listUndescribed(document)],
    addresses,
  };
}

function findFaults(options: Options): readonly Fault[] {
  try {
    new Translator(options);
    return [];
  } catch (error) {
    if (error instanceof VocabularyError) return error.faults;
    throw error;
  }
}

/** @returns answers with a body that the document does not describe */
function listUndescribed({ operations }: Document): readonly string[] {
  return operations.flatMap(({ method, template, answers }) => {
    if (answers.size === 0) return [`${method} ${template}`];
    return [...answers].flatMap(([status, contents]) => {
      if (contents.size === 0) return /^(1|204|205|3|DEFAULT)/.test(status) ? [] : [`${method} ${template} ${status}`];
      const empty = [...contents].filter(([, { body, item }]) => isEmpty(body) && isEmpty(item));
      return empty.map(([type]) => `${method} ${template} ${status} ${type}`);
    });
  });
}

/** @returns whether a schema says nothing, as that of an answer to which FastAPI knows no type */
function isEmpty(schema: Json | undefined): boolean {
  return Object.keys(schema ?? {}).every((name) => name === 'title' || name === 'description');
}

/** @returns words that several names have, each in a scope of its own */
function listShared(names: readonly Name[]): readonly { readonly word: string; readonly names: readonly string[] }[] {
  const worded = names.filter(({ word }) => word !== undefined);
  const groups = Map.groupBy(worded, ({ section, word }) => `${section} ${word}`);
  return [...groups.values()].flatMap((group) => {
    const all = [...new Set(group.map(({ name }) => name))];
    return all.length > 1 ? [{ word: group[0]?.word ?? '', names: all }] : [];
  });
}

function writePlace({ section, scope = '', name }: Name): string {
  return [section, scope, name].filter((part) => part !== '').join(' ');
}

function writeReport(
  { faults, vocabularies, undescribed, addresses }: ReturnType<typeof createReport>,
  headings: (typeof HEADINGS)[Language],
): string {
  const parts: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    [headings.faults, faults.map(writeFault)],
    ...vocabularies.flatMap(({ tag, words, missing, shared, unused }) => [
      [`${tag}: ${headings.words}`, words.map((name) => `${writePlace(name)} → ${name.word}`)] as const,
      [`${tag}: ${headings.missing}`, missing.map(writePlace)] as const,
      [`${tag}: ${headings.shared}`, shared.map(({ word, names }) => `${word} ← ${names.join(', ')}`)] as const,
      [`${tag}: ${headings.unused}`, unused] as const,
    ]),
    [headings.undescribed, undescribed],
    [headings.addresses, addresses.map((each) => `${each.method} ${each.path} ${each.operation} ${each.vocabulary}`)],
  ];
  const texts = parts.map(([heading, lines]) => {
    const written = lines.length === 0 ? [headings.none] : lines;
    return `${heading} (${lines.length})\n${written.map((line) => `  ${line.trimEnd()}\n`).join('')}\n`;
  });
  return texts.join('');
}

/** Escapes what in names of a document could command a terminal, as JSON and YAML escape it. */
export function escapeControls(text: string): string {
  const controls = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g;
  return text.replaceAll(controls, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
