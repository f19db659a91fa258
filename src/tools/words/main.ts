/** Tells translators which sentences are translated, how old they are, and what is wrong with tables. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { catalogue as ownCatalogue } from '../../catalogue.ts';
import { listSentences, type WholeTable } from '../../gateway/locale/chain.ts';
import { messageParts } from '../../gateway/locale/layers.ts';
import { readConfig } from '../../host/settings/config.ts';
import { examineFolder, findLocaleFolders, listLanguages, loadChosenCatalogue } from '../../host/tables/load.ts';
import { digestSentence, recordSources, type SurveyedSentence, surveySentences } from '../../host/tables/survey.ts';
import { type Say, UsageError } from '../commands/command-error.ts';
import { readArguments } from '../commands/options.ts';
import { DONE, FOUND } from '../commands/run.ts';
import { runInTerminal } from '../commands/terminal.ts';
import type { Context } from './context.ts';
import { findLine } from './edit-json.ts';
import { exchangeFormats, exportWords, importWords } from './exchange-command.ts';
import { findChanges, findRemarks, type Remark, runGit } from './lint.ts';

function locate({ folder = '', file, messages = file }: WholeTable, place: string) {
  const isSentence = messageParts.some((part) => place.startsWith(`${part}.`));
  const path = join(folder, isSentence && existsSync(join(folder, messages)) ? messages : file);
  return { file: relative('', path), line: existsSync(path) ? findLine(readFileSync(path, 'utf8'), place) : 1 };
}

/** @returns a source as it was when its digest was taken, by the history of its file; `undefined` if that is not there */
function findFormer({ source }: WholeTable, place: string, digest: string): unknown {
  const { folder, messages } = source ?? {};
  if (folder === undefined || messages === undefined) return undefined;
  const versions = runGit(folder, 'log', '--format=%H', '--', messages)?.trim().split('\n') ?? [];
  for (const version of versions) {
    const text = runGit(folder, 'show', `${version}:./${messages}`);
    const former = text && listSentences(JSON.parse(text)).get(place);
    if (former && digestSentence(former) === digest) return former;
  }
  return undefined;
}

function describeSentence(table: WholeTable, { place, state, text, source }: SurveyedSentence) {
  const digest = table.sources?.[place];
  const former = state === 'stale' && digest !== undefined ? findFormer(table, place, digest) : undefined;
  return { ...locate(table, place), place, state, text, source, former };
}

function printStatus({ say, print, flags, operands, chosenTables }: Context): number {
  const languages = chosenTables
    .filter(({ source }) => source)
    .map((table) => {
      const all = surveySentences(table);
      const counts = { translated: 0, same: 0, copied: 0, stale: 0, missing: 0 };
      for (const { state } of all) counts[state] += 1;
      const open = all.filter(({ state }) => state !== 'translated');
      const isListed = operands.length > 1 || flags.has('json');
      return {
        tag: table.tag,
        ...counts,
        sentences: isListed ? open.map((sentence) => describeSentence(table, sentence)) : [],
      };
    });
  if (flags.has('json')) print(JSON.stringify({ languages }));
  else {
    for (const { tag, sentences, ...counts } of languages) {
      print(say('words-counts', { tag, ...counts }));
      for (const { file, line, place, state, source, former } of sentences) {
        if (state === 'translated') continue;
        print(say(`words-${state}`, { at: `${file}:${line}`, place }));
        if (state !== 'stale') continue;
        if (former !== undefined) print(`  - ${JSON.stringify(former)}`);
        print(`  + ${JSON.stringify(source)}`);
      }
    }
  }
  return languages.some(({ stale, missing }) => stale + missing > 0) ? FOUND : DONE;
}

function checkTables(context: Context): number {
  const { say, print, flags, options, catalogue, findings, chosenTables } = context;
  const since = options.get('since');
  const isChosen = ({ table }: Remark): boolean => chosenTables.some(({ tag }) => tag === table.tag);
  const describe = ({ table, place, text, values }: Remark) => {
    const { file, line } = locate(table, place);
    const at = `${file}:${line}`;
    return { file, line, place, kind: text.replace('words-', ''), text: say(text, { at, place, ...values }) };
  };
  const changes = (since === undefined ? [] : findChanges(chosenTables, since)).map(describe);
  const remarks = findRemarks(catalogue, findings.tables).filter(isChosen).map(describe);
  const { warnings } = findings;
  const faults = [...findings.faults, ...findings.flaws];
  if (flags.has('json')) print(JSON.stringify({ faults, warnings, remarks, changes }));
  else {
    const lines = [...faults, ...warnings, ...[...changes, ...remarks].map(({ text }) => text)];
    for (const line of lines) print(line);
    if (lines.length === 0) print(say('words-sound'));
  }
  return faults.length > 0 || changes.some(({ kind }) => kind !== 'kept') ? FOUND : DONE;
}

/** Writes down that sentences say what their sources say today: all of a language, or those at some places and below. */
function acceptSentences({ say, print, operands: [, , ...places], chosenTables: [table] }: Context): number {
  if (!table?.source || table.messages === undefined) return DONE;
  const isMeant = (place: string): boolean =>
    places.length === 0 || places.some((part) => place === part || place.startsWith(`${part}.`));
  const acceptedSentences = surveySentences(table).filter(({ place, state }) => state !== 'missing' && isMeant(place));
  const file = recordSources(table, new Map(acceptedSentences.map(({ place, source }) => [place, source])));
  print(say('words-accepted', { count: acceptedSentences.length, file: relative('', file) }));
  return DONE;
}

/** The subcommands, with the least and the largest number of their operands. */
const actions = {
  status: [printStatus, 0, 1],
  check: [checkTables, 0, 1],
  accept: [acceptSentences, 1, Infinity],
  export: [exportWords, 1, 1],
  import: [importWords, 2, 2],
} as const;

const usage = {
  command: 'words',
  flags: ['json', 'partial', ...exchangeFormats],
  options: ['since', 'out', 'from'],
  operands: [1, Infinity],
} as const;

async function run(args: readonly string[], say: Say): Promise<number> {
  const { isHelp, faults, ...commandLine } = readArguments(args, usage);
  const print = (text: string) => void process.stdout.write(`${text.trimEnd()}\n`);
  if (isHelp) {
    print(say('words-help'));
    return DONE;
  }
  const [name = '', tag] = commandLine.operands;
  const [action, least, most] = Object.entries(actions).find(([word]) => word === name)?.[1] ?? [undefined, 0, 0];
  const count = commandLine.operands.length - 1;
  if (!action || count < least || count > most)
    throw new UsageError([say('words-action', { action: name, known: Object.keys(actions).join(', ') })]);
  if (faults.length > 0) throw new UsageError(faults.map(([text, values]) => say(text, values)));
  const config = readConfig();
  const catalogue = await loadChosenCatalogue(ownCatalogue, config.CATALOGUE);
  const [folder, base] = findLocaleFolders(config);
  const isExchange = name === 'export' || name === 'import';
  const sources = isExchange ? [config.DEFAULT_LANGUAGE, commandLine.options.get('from')] : [];
  const tags = new Set([...(config.LANGUAGES ?? listLanguages(folder)), tag, ...sources]);
  const languages = [...tags].filter((language) => language !== undefined);
  const findings = examineFolder(catalogue, folder, config.DEFAULT_LANGUAGE, { base, languages });
  const chosenTables = findings.tables.filter((table) => tag === undefined || table.tag === tag);
  if (chosenTables.length === 0 && !isExchange) {
    const known = findings.tables.map((table) => table.tag).join(', ');
    throw new UsageError([say('language-unknown', { value: tag ?? '', known })]);
  }
  return action({ ...commandLine, say, print, config, catalogue, findings, chosenTables });
}

await runInTerminal((say) => run(process.argv.slice(2), say));
