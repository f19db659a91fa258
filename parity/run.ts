/** A run: hundreds of cases in two languages each, until they are all asked or time is over. */

import { everyWord } from '../kit/src/words.ts';
import { type Case, casesOf } from './cases.ts';
import { check, type Outcome, type Trial } from './check.ts';
import { compareDocuments } from './documents.ts';
import { type Finding, findingsOf, short } from './findings.ts';
import { randomOf } from './random.ts';
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
  readonly coverage: Readonly<Record<string, number>>;
  /** Why a run without differences proves nothing; `undefined` where it does. */
  readonly tooLittle: string | undefined;
}

/** The least that must be compared of each, so that a run says something. */
const LEAST = { cases: 50, items: 1, refusals: 5 };
/** The greatest share of cases that may not be comparable. */
const MOVED = 0.05;

const tooLittleIn = (checked: readonly Checked[], coverage: Readonly<Record<string, number>>): string | undefined => {
  const compared = checked.filter(({ outcome }) => outcome !== 'moved').length;
  const refusals = Object.entries(coverage).reduce(
    (sum, [name, count]) => (/^status [45]/.test(name) ? sum + count : sum),
    0,
  );
  if (checked.length === 0) return 'there are no items';
  if (compared < LEAST.cases) return `${compared} cases were compared, fewer than ${LEAST.cases}`;
  if ((coverage['lists with items'] ?? 0) < LEAST.items) return 'no list with items was compared';
  if (refusals < LEAST.refusals) return `${refusals} refusals were compared, fewer than ${LEAST.refusals}`;
  const kinds = Map.groupBy(checked, ({ kind }) => kind);
  const lost = [...kinds].find(([, all]) => all.every(({ outcome }) => outcome === 'moved'));
  if (lost) return `no case of “${lost[0]}” was comparable`;
  const moved = checked.length - compared;
  if (moved > checked.length * MOVED)
    return `${moved} of ${checked.length} cases were not comparable: too much is written meanwhile`;
  return undefined;
};

const trialsOf = function* (service: Service, { seed, cases, replayed }: RunOptions): Generator<Trial> {
  const random = randomOf(seed);
  const languageOf = (tag: string) => service.languages.find((each) => each.tag === tag);
  for (const { asked, one, other } of replayed ?? []) {
    const [first, second] = [languageOf(one), languageOf(other)];
    if (first && second) yield { asked, one: first, other: second };
  }
  if (replayed) return;
  if (Object.values(service.samples).every((each) => each.length === 0)) return;
  const next = casesOf(service, random);
  for (let made = 0; made < cases; made++) {
    const [one, other] = random.some(service.languages, service.languages.length);
    const second = other ?? service.languages.find((each) => each !== one);
    if (one && second) yield { asked: next(), one, other: second };
  }
};

/** Runs until `time` is over. @throws what `fetch` throws where the service does not answer */
export const run = async (service: Service, options: RunOptions): Promise<Result> => {
  const end = performance.now() + options.time;
  const findings = findingsOf(service);
  const checked: Checked[] = [];
  const coverage: Record<string, number> = {};
  const count = (name: string): void => {
    coverage[name] = (coverage[name] ?? 0) + 1;
  };
  const words = new Set(everyWord(service.names));
  const note = (trial: Trial, outcome: Outcome, cause: string | undefined): void => {
    const { asked, one, other } = trial;
    const languages = [one.tag, other.tag].sort().join('-');
    checked.push({ kind: asked.kind, languages, outcome: outcome.kind, ...(cause !== undefined && { cause }) });
    if (outcome.kind !== 'same') return;
    count(`kind ${asked.kind}`);
    count(`status ${outcome.status}`);
    if (asked.kind === 'list' && outcome.rows > 0) count('lists with items');
    const sent = [...asked.url.matchAll(/[?&]([^=&]*)/g)].map(([, name = '']) => name);
    for (const name of sent.filter((each) => words.has(each))) count(`parameter ${name}`);
  };
  for (const trial of trialsOf(service, options)) {
    if (performance.now() > end) break;
    const outcome = await check(service, trial);
    note(trial, outcome, outcome.kind === 'different' ? await findings.add(trial, outcome) : undefined);
  }
  const [first, ...rest] = service.languages;
  for (const other of options.writes ? rest : []) {
    if (!first) break;
    for await (const { trial, mismatch } of writes(service, first, other, `${options.seed}`)) {
      const { status } = mismatch.answers[0].answer;
      const isSame = mismatch.differences.length === 0;
      const outcome: Outcome = isSame ? { kind: 'same', status, rows: 0 } : { kind: 'different', ...mismatch };
      note(trial, outcome, isSame ? undefined : await findings.add(trial, mismatch, true));
    }
  }
  const documents = rest.flatMap((other) =>
    first
      ? compareDocuments(service, first, other).map(
          ({ at, one, other: there }) => `${first.tag} and ${other.tag}: ${at}: ${short(one)} ≠ ${short(there)}`,
        )
      : [],
  );
  const tooLittle = options.replayed ? undefined : tooLittleIn(checked, coverage);
  return { findings: findings.all(), checked, documents, coverage, tooLittle };
};
