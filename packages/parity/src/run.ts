/** A run: hundreds of cases in two trees each, until all are made or time is over. */
import { check, type Outcome } from './check.ts';
import { addMismatch, type Finding, writeShort } from './findings.ts';
import { formatDifference } from './kit/compare.ts';
import { Random } from './random.ts';
import { CaseMaker } from './trees/cases.ts';
import type { Case, Trees, Trial } from './trees/trees.ts';
import { Writer } from './trees/writes.ts';

export interface RunOptions {
  readonly seed: number;
  /** How many cases. */
  readonly cases: number;
  /** Milliseconds. */
  readonly time: number;
  /** Whether items are created, changed and deleted, too. */
  readonly writes?: boolean;
  /** Only these, instead of new ones. */
  readonly replayed?: readonly Trial[] | undefined;
  /** Told after each case. */
  readonly onProgress?: (done: number, findings: number) => void;
}

/** What became of one case. */
interface Checked {
  readonly kind: string;
  readonly languages: string;
  readonly outcome: 'same' | 'moved' | 'different';
  readonly cause: string | undefined;
  /** Parameters, statuses, and so on, that were compared and are the same. */
  readonly covered: readonly string[];
}

export interface Result {
  readonly tags: readonly string[];
  readonly findings: readonly Finding[];
  readonly checked: readonly Checked[];
  /** Documents of two languages that differ, each difference in words. */
  readonly documents: readonly string[];
  /** Why a run without differences proves nothing; `undefined` if it proves something. */
  readonly tooLittle: string | undefined;
}

/** The least that must be compared of each, so that a run says something. */
const LEAST = { cases: 50, items: 1, refusals: 5 };
/** The greatest share of cases that may not be comparable. */
const MOVED = 0.05;

/** @returns parameters, statuses, and so on, with how often they were compared */
export function countCovered(checked: readonly Checked[]): ReadonlyMap<string, number> {
  const groups = Map.groupBy(
    checked.flatMap(({ covered }) => covered),
    (name) => name,
  );
  return new Map(Array.from(groups, ([name, all]) => [name, all.length]));
}

function findShortage(checked: readonly Checked[]): string | undefined {
  const coverage = countCovered(checked);
  const compared = checked.filter(({ outcome }) => outcome !== 'moved').length;
  const refusals = [...coverage].reduce((sum, [name, count]) => (/^status [45]/.test(name) ? sum + count : sum), 0);
  if (checked.length === 0) return 'there are no items';
  if (compared < LEAST.cases) return `${compared} cases were compared, fewer than ${LEAST.cases}`;
  if ((coverage.get('lists with items') ?? 0) < LEAST.items)
    return 'no list with items was compared: there are no items, or they cannot be read';
  if (refusals < LEAST.refusals) return `${refusals} refusals were compared, fewer than ${LEAST.refusals}`;
  const kinds = Map.groupBy(checked, ({ kind }) => kind);
  const lost = [...kinds].find(([, all]) => all.every(({ outcome }) => outcome === 'moved'));
  if (lost) return `no case of “${lost[0]}” was comparable`;
  const moved = checked.length - compared;
  if (moved > checked.length * MOVED)
    return `${moved} of ${checked.length} cases were not comparable: too much is written meanwhile`;
  return undefined;
}

/** @yields the cases of a file again, or new ones, each in two trees */
function* makeTrials(trees: Trees, { seed, cases, replayed }: RunOptions): Generator<Trial> {
  const { tags } = trees;
  yield* (replayed ?? []).filter(({ one, other }) => [one, other].every((tag) => tags.includes(tag)));
  if (replayed) return;
  const random = new Random(seed);
  let made = 0;
  for (const request of new CaseMaker(trees, random).make()) {
    const [one, other] = random.once(2) ? tags : [tags[1], tags[0]];
    yield { request, one, other };
    made += 1;
    if (made === cases) return;
  }
}

/** @returns what a case has compared: its kind, its operation, the status and parameters */
function listCovered(trees: Trees, { kind, url }: Case, { status, rows }: Outcome & { readonly kind: 'same' }) {
  const [operation = '', part = kind] = kind.split(': ');
  const isWrite = operation === 'write';
  const known = trees.reader.operations.flatMap(({ parameters }) => parameters.map(({ name }) => name));
  const parameters = [...url.matchAll(/[?&]([^=&]*)/g)].flatMap(([, name = '']) => (known.includes(name) ? name : []));
  return [
    `kind ${isWrite ? kind.split(' ', 2).join(' ') : part}`,
    ...(isWrite ? [] : [`operation ${operation}`]),
    `status ${status}`,
    ...(/\blist\b/.test(kind) && rows > 0 ? ['lists with items'] : []),
    ...parameters.map((name) => `parameter ${name}`),
  ];
}

/** Runs until `time` is over. @throws what `fetch` throws if a tree does not answer */
export async function run(trees: Trees, options: RunOptions): Promise<Result> {
  const end = performance.now() + options.time;
  const findings = new Map<string, Finding>();
  const checked: Checked[] = [];
  const note = async (trial: Trial, outcome: Outcome, isFixed: boolean): Promise<void> => {
    const { request, one, other } = trial;
    const cause =
      outcome.kind === 'different' ? await addMismatch(findings, trees, trial, outcome, isFixed) : undefined;
    const covered = outcome.kind === 'same' ? listCovered(trees, request, outcome) : [];
    const languages = [one, other].sort().join('-');
    checked.push({ kind: request.kind, languages, outcome: outcome.kind, cause, covered });
    options.onProgress?.(checked.length, findings.size);
  };
  for (const trial of makeTrials(trees, options)) {
    if (performance.now() > end) break;
    await note(trial, await check(trees, trial), false);
  }
  for await (const { trial, mismatch } of options.writes ? new Writer(trees).write(`${options.seed}`) : []) {
    const { status } = mismatch.exchanges[0].answer;
    const isSame = mismatch.differences.length === 0;
    await note(trial, isSame ? { kind: 'same', status, rows: 0 } : { kind: 'different', ...mismatch }, true);
  }
  const tags = trees.tags.join(' and ');
  const documents = trees
    .compareDocuments()
    .map((difference) => `${tags}: ${formatDifference(difference, writeShort)}`);
  const tooLittle = options.replayed ? undefined : findShortage(checked);
  return { tags: trees.tags, findings: [...findings.values()], checked, documents, tooLittle };
}

/** @returns several runs as one */
export function mergeResults(results: readonly Result[]): Result {
  return {
    tags: [...new Set(results.flatMap(({ tags }) => tags))],
    findings: results.flatMap(({ findings }) => findings),
    checked: results.flatMap(({ checked }) => checked),
    documents: results.flatMap(({ documents }) => documents),
    tooLittle: results.find(({ tooLittle }) => tooLittle !== undefined)?.tooLittle,
  };
}
