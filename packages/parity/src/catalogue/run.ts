/** A run: hundreds of cases in two languages each, until they are all asked or time is over. */
import { everyWord } from '../kit/words.ts';
import { Random } from '../random.ts';
import { type Case, makeCases } from './cases.ts';
import { check, type Outcome, type Trial } from './check.ts';
import { compareDocuments } from './documents.ts';
import { type Finding, Findings, short } from './findings.ts';
import type { Service } from './service.ts';
import { writes } from './write.ts';

export interface RunOptions {
  readonly seed: number;
  /** How many cases. */
  readonly cases: number;
  /** Milliseconds. */
  readonly time: number;
  /** Whether items are created, changed and deleted, too. */
  readonly writes?: boolean;
  /** Only these, instead of new ones. */
  readonly replayed?: readonly Replayed[];
}

/** A case and its languages, as a file has it. */
export interface Replayed {
  readonly asked: Case;
  readonly one: string;
  readonly other: string;
}

/** What became of one case. */
interface Checked {
  readonly kind: string;
  readonly languages: string;
  readonly outcome: 'same' | 'moved' | 'different';
  readonly cause?: string;
}

export interface Result {
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
  if ((coverage.get('lists with items') ?? 0) < LEAST.items) return 'no list with items was compared';
  if (refusals < LEAST.refusals) return `${refusals} refusals were compared, fewer than ${LEAST.refusals}`;
  const kinds = Map.groupBy(checked, ({ kind }) => kind);
  const lost = [...kinds].find(([, all]) => all.every(({ outcome }) => outcome === 'moved'));
  if (lost) return `no case of “${lost[0]}” was comparable`;
  const moved = checked.length - compared;
  if (moved > checked.length * MOVED)
    return `${moved} of ${checked.length} cases were not comparable: too much is written meanwhile`;
  return undefined;
}

/** @yields the cases of a file again, or new ones, each in two languages */
function* makeTrials(service: Service, options: RunOptions): Generator<Trial> {
  const { languages, samples } = service;
  const { seed, cases, replayed } = options;
  for (const { asked, one, other } of replayed ?? []) {
    const [first, second] = [one, other].map((tag) => languages.find((each) => each.tag === tag));
    if (first && second) yield { asked, one: first, other: second };
  }
  if (replayed || Object.values(samples).every((each) => each.length === 0)) return;
  const random = new Random(seed);
  const next = makeCases(service, random);
  for (let made = 0; made < cases; made++) {
    const [one, other] = random.some(languages, languages.length);
    const second = other ?? languages.find((each) => each !== one);
    if (one && second) yield { asked: next.next().value, one, other: second };
  }
}

/** Counts what was compared. */
class Coverage {
  readonly checked: Checked[] = [];
  readonly counts = new Map<string, number>();
  readonly #words: ReadonlySet<string>;

  constructor(words: readonly string[]) {
    this.#words = new Set(words);
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  note({ asked, one, other }: Trial, outcome: Outcome, cause?: string): void {
    const languages = [one.tag, other.tag].sort().join('-');
    this.checked.push({ kind: asked.kind, languages, outcome: outcome.kind, ...(cause !== undefined && { cause }) });
    if (outcome.kind !== 'same') return;
    this.#count(`kind ${asked.kind}`);
    this.#count(`status ${outcome.status}`);
    if (asked.kind === 'list' && outcome.rows > 0) this.#count('lists with items');
    const parameters = [...asked.url.matchAll(/[?&]([^=&]*)/g)].map(([, name = '']) => name);
    for (const name of parameters.filter((each) => this.#words.has(each))) this.#count(`parameter ${name}`);
  }
}

/** Runs until `time` is over. @throws what `fetch` throws if the service does not answer */
export async function run(service: Service, options: RunOptions): Promise<Result> {
  const end = performance.now() + options.time;
  const findings = new Findings(service);
  const coverage = new Coverage(everyWord(service.names));
  for (const trial of makeTrials(service, options)) {
    if (performance.now() > end) break;
    const outcome = await check(service, trial);
    coverage.note(trial, outcome, outcome.kind === 'different' ? await findings.add(trial, outcome) : undefined);
  }
  const [first, ...rest] = service.languages;
  for (const other of options.writes ? rest : []) {
    if (!first) break;
    for await (const { trial, mismatch } of writes(service, first, other, `${options.seed}`)) {
      const { status } = mismatch.answers[0].answer;
      const isSame = mismatch.differences.length === 0;
      const outcome: Outcome = isSame ? { kind: 'same', status, rows: 0 } : { kind: 'different', ...mismatch };
      coverage.note(trial, outcome, isSame ? undefined : await findings.add(trial, mismatch, true));
    }
  }
  const documents = rest.flatMap((other) =>
    first
      ? compareDocuments(service, first, other).map(
          ({ at, one, other: there }) => `${first.tag} and ${other.tag}: ${at}: ${short(one)} ≠ ${short(there)}`,
        )
      : [],
  );
  const { checked, counts } = coverage;
  const tooLittle = options.replayed ? undefined : findShortage(checked, counts);
  return { findings: findings.all(), checked, documents, coverage: counts, tooLittle };
}
