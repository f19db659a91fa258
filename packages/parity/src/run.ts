/** A run: hundreds of cases in two trees each, until they are all asked or time is over. */
import { check, type Outcome } from './check.ts';
import { type Finding, Findings, short } from './findings.ts';
import { Random } from './random.ts';
import { CaseMaker } from './trees/cases.ts';
import type { Trees, Trial } from './trees/trees.ts';
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
  readonly cause?: string;
}

export interface Result {
  readonly tags: readonly string[];
  readonly findings: readonly Finding[];
  readonly checked: readonly Checked[];
  /** Documents of two languages that differ, each difference in words. */
  readonly documents: readonly string[];
  /** Parameters, statuses, and so on, with how often they were compared. */
  readonly coverage: ReadonlyMap<string, number>;
  /** Why a run without differences proves nothing; `undefined` if it proves something. */
  readonly tooLittle: string | undefined;
}

/** The least that must be compared of each, so that a run says something. */
const LEAST = { cases: 50, items: 1, refusals: 5 };
/** The greatest share of cases that may not be comparable. */
const MOVED = 0.05;

function findShortage(checked: readonly Checked[], coverage: ReadonlyMap<string, number>): string | undefined {
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
  for (const asked of new CaseMaker(trees, random).make()) {
    const [one, other] = random.once(2) ? tags : [tags[1], tags[0]];
    yield { asked, one, other };
    made += 1;
    if (made === cases) return;
  }
}

/** Counts what was compared. */
class Coverage {
  readonly checked: Checked[] = [];
  readonly counts = new Map<string, number>();
  readonly #parameters: ReadonlySet<string>;

  constructor(trees: Trees) {
    const parameters = trees.reader.operations.flatMap((each) => each.parameters.map(({ name }) => name));
    this.#parameters = new Set(parameters);
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  note({ asked, one, other }: Trial, outcome: Outcome, cause?: string): void {
    const languages = [one, other].sort().join('-');
    this.checked.push({ kind: asked.kind, languages, outcome: outcome.kind, ...(cause !== undefined && { cause }) });
    if (outcome.kind !== 'same') return;
    const [operation = '', kind = asked.kind] = asked.kind.split(': ');
    this.#count(`kind ${operation === 'write' ? asked.kind.split(' ', 2).join(' ') : kind}`);
    if (operation !== 'write') this.#count(`operation ${operation}`);
    this.#count(`status ${outcome.status}`);
    if (/\blist\b/.test(asked.kind) && outcome.rows > 0) this.#count('lists with items');
    const parameters = [...asked.url.matchAll(/[?&]([^=&]*)/g)].map(([, name = '']) => name);
    for (const name of parameters.filter((each) => this.#parameters.has(each))) this.#count(`parameter ${name}`);
  }
}

/** Runs until `time` is over. @throws what `fetch` throws if a tree does not answer */
export async function run(trees: Trees, options: RunOptions): Promise<Result> {
  const end = performance.now() + options.time;
  const findings = new Findings(trees);
  const coverage = new Coverage(trees);
  const note = async (trial: Trial, outcome: Outcome, isFixed: boolean): Promise<void> => {
    const cause = outcome.kind === 'different' ? await findings.add(trial, outcome, isFixed) : undefined;
    coverage.note(trial, outcome, cause);
    options.onProgress?.(coverage.checked.length, findings.all().length);
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
  const documents = trees
    .compareDocuments()
    .map(({ at, one, other }) => `${trees.tags.join(' and ')}: ${at}: ${short(one)} ≠ ${short(other)}`);
  const { checked, counts } = coverage;
  const tooLittle = options.replayed ? undefined : findShortage(checked, counts);
  return { tags: trees.tags, findings: findings.all(), checked, documents, coverage: counts, tooLittle };
}

/** @returns several runs as one */
export function mergeResults(results: readonly Result[]): Result {
  const coverage = new Map<string, number>();
  for (const [name, count] of results.flatMap((each) => [...each.coverage]))
    coverage.set(name, (coverage.get(name) ?? 0) + count);
  return {
    tags: [...new Set(results.flatMap(({ tags }) => tags))],
    findings: results.flatMap(({ findings }) => findings),
    checked: results.flatMap(({ checked }) => checked),
    documents: results.flatMap(({ documents }) => documents),
    coverage,
    tooLittle: results.find(({ tooLittle }) => tooLittle !== undefined)?.tooLittle,
  };
}
