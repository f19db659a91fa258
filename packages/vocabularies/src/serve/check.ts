/** The command `check`: what tables say of a document. */
import { readCatalogueTable } from '../catalogue-table.ts';
import { Document, type Fault, VocabularyError, writeFault } from '../document.ts';
import { listTexts, Vocabulary } from '../nodes.ts';
import { readRoutes } from '../paths.ts';
import { checkTable, type Table, Words } from '../table.ts';
import { addressesOf } from '../translate-document.ts';
import { type Options, Translator } from '../translator.ts';
import { isObject, type Json } from '../words.ts';
import { listNames, type Name } from './names.ts';
import { print, texts } from './texts.ts';

/**
 * Prints what the tables say of a document.
 *
 * @param more faults that were found before
 * @returns 1 if the start would stop
 */
export function check(options: Options, more: readonly Fault[], localize: (fault: Fault) => Fault, json: boolean) {
  const report = createReport(options, more, localize);
  print(json ? `${JSON.stringify(report, null, 2)}\n` : writeReport(report));
  return report.faults.length === 0 ? 0 : 1;
}

function createReport(options: Options, more: readonly Fault[], localize: (fault: Fault) => Fault) {
  const { document: content, tables } = options;
  const document = new Document(content);
  const routes = readRoutes(document);
  const words = Object.entries(tables).flatMap(([tag, table]) => {
    const content = isObject(table) && 'fields' in table ? readCatalogueTable(table, document) : table;
    return checkTable(tag, content, document).length === 0 ? [new Words(tag, content as Table)] : [];
  });
  const vocabularies = words.map((own) => {
    const vocabulary = new Vocabulary(own, words, document, routes);
    const names = listNames(document, routes, vocabulary);
    const withWord = names.filter(({ word }) => word !== undefined);
    const missing = names.filter(({ word }) => word === undefined);
    const [shared, staying] = [listShared(withWord), listStaying(vocabulary)];
    return { tag: own.tag, words: withWord, missing, shared, staying, unused: own.listUnused() };
  });
  // Some faults of a document show only when its schemas are read, before which the start may have stopped.
  const all = [...more, ...findFaults(options), ...document.faults];
  const faults = [...new Map(all.map((fault) => [writeFault(fault), localize(fault)])).values()];
  return {
    faults,
    vocabularies,
    undescribed: [...document.notices.map((notice) => writeFault(localize(notice))), ...listUndescribed(document)],
    addresses: faults.length === 0 ? addressesOf(content, tables) : [],
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
  const groups = [...Map.groupBy(names, ({ section, word }) => `${section} ${word}`).values()];
  const shared = groups.map((group) => ({
    word: `${group[0]?.word}`,
    names: [...new Set(group.map(({ name }) => name))],
  }));
  return shared.filter(({ names }) => names.length > 1);
}

/** @returns values that some schemas of a place list, but not all, or beside any other text: there they are not exchanged */
function listStaying({ bySchema }: Vocabulary): readonly string[] {
  const lines = [...bySchema].flatMap(([schema, nodes]) =>
    nodes.flatMap(({ place, values }) => {
      const texts = (listTexts(schema) ?? []).filter((text) => !values.out.has(text));
      return texts.length > 0 ? [`${place}: ${texts.join(', ')}`] : [];
    }),
  );
  return [...new Set(lines)];
}

function writePlace({ section, scope = '', name }: Name): string {
  return [section, scope, name].filter((part) => part !== '').join(' ');
}

function writeReport({ faults, vocabularies, undescribed, addresses }: ReturnType<typeof createReport>): string {
  const { report } = texts;
  const parts: readonly (readonly [heading: string, lines: readonly string[]])[] = [
    [report.faults, faults.map(writeFault)],
    ...vocabularies.flatMap(({ tag, words, missing, shared, staying, unused }) => [
      [`${tag}: ${report.words}`, words.map((name) => `${writePlace(name)} → ${name.word}`)] as const,
      [`${tag}: ${report.missing}`, missing.map(writePlace)] as const,
      [`${tag}: ${report.shared}`, shared.map(({ word, names }) => `${word} ← ${names.join(', ')}`)] as const,
      [`${tag}: ${report.staying}`, staying] as const,
      [`${tag}: ${report.unused}`, unused] as const,
    ]),
    [report.undescribed, undescribed],
    [report.addresses, addresses.map((each) => `${each.method} ${each.path} ${each.operation} ${each.vocabulary}`)],
  ];
  const written = parts.map(([heading, lines]) => {
    const shown = lines.length === 0 ? [report.none] : lines;
    return `${heading} (${lines.length})\n${shown.map((line) => `  ${line.trimEnd()}\n`).join('')}\n`;
  });
  return written.join('');
}
