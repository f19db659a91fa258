/** A run: hundreds of cases in two trees each, until all are made or time is over. */
import { check } from './check.ts';
import { addMismatch, type Finding, writeShort } from './findings.ts';
import { formatDifference } from './kit/compare.ts';
import { Random } from './random.ts';
import { NotComparable } from './texts.ts';
import { makeCases } from './trees/cases.ts';
import type { Case, Outcome, Trees, Trial } from './trees/trees.ts';
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
  readonly tooLittle: NotComparable | undefined;
  /** Media types of answers that were not compared. */
  readonly unread: readonly string[];
}

/** The least that must be compared of each, so that a run says something. */
const LEAST = { cases: 50, refusals: 5 };
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

function findShortage(checked: readonly Checked[]): NotComparable | undefined {
  const coverage = countCovered(checked);
  const count = checked.filter(({ outcome }) => outcome !== 'moved').length;
  const refusals = [...coverage].reduce((sum, [name, times]) => (/^status [45]/.test(name) ? sum + times : sum), 0);
  if (checked.length === 0) return new NotComparable('no-items');
  if (count < LEAST.cases) return new NotComparable('few-cases', { count, least: LEAST.cases });
  if (!coverage.has('lists with items')) return new NotComparable('no-lists');
  if (refusals < LEAST.refusals) return new NotComparable('few-refusals', { count: refusals, least: LEAST.refusals });
  const kinds = Map.groupBy(checked, ({ kind }) => kind);
  const lost = [...kinds].find(([, all]) => all.every(({ outcome }) => outcome === 'moved'));
  if (lost) return new NotComparable('lost-kind', { kind: lost[0] });
  const moved = checked.length - count;
  return moved > checked.length * MOVED
    ? new NotComparable('moving', { count: moved, all: checked.length })
    : undefined;
}

/** @yields the cases of a file again, or new ones, each in two trees */
function* makeTrials(trees: Trees, { seed, cases, replayed }: RunOptions): Generator<Trial> {
  const { tags } = trees;
  yield* (replayed ?? []).filter(({ one, other }) => [one, other].every((tag) => tags.includes(tag)));
  if (replayed) return;
  const random = new Random(seed);
  for (const request of makeCases(trees, random, cases)) {
    const [one, other] = random.once(2) ? tags : [tags[1], tags[0]];
    yield { request, one, other };
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
    const { kind } = outcome;
    const cause = kind === 'different' ? await addMismatch(findings, trees, trial, outcome, isFixed) : undefined;
    const covered = kind === 'same' ? listCovered(trees, request, outcome) : [];
    checked.push({ kind: request.kind, languages: [one, other].sort().join('-'), outcome: kind, cause, covered });
    options.onProgress?.(checked.length, findings.size);
  };
  for (const trial of makeTrials(trees, options)) {
    if (performance.now() > end) break;
    await note(trial, await check(trees, trial), false);
  }
  for await (const { trial, outcome } of options.writes ? new Writer(trees).write(`${options.seed}`) : [])
    await note(trial, outcome, true);
  const { tags, unread } = trees;
  const documents = trees
    .compareDocuments()
    .map((each) => `${tags.join(' and ')}: ${formatDifference(each, writeShort)}`);
  const tooLittle = options.replayed ? undefined : findShortage(checked);
  return { tags, findings: [...findings.values()], checked, documents, tooLittle, unread: [...unread] };
}

/** @returns several runs as one */
export function mergeResults(results: readonly Result[]): Result {
  return {
    tags: [...new Set(results.flatMap(({ tags }) => tags))],
    findings: results.flatMap(({ findings }) => findings),
    checked: results.flatMap(({ checked }) => checked),
    documents: results.flatMap(({ documents }) => documents),
    tooLittle: results.find(({ tooLittle }) => tooLittle !== undefined)?.tooLittle,
    unread: [...new Set(results.flatMap(({ unread }) => unread))],
  };
}
