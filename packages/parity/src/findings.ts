/** Differences by their causes, each with the smallest request that shows it. */
import { check } from './check.ts';
import type { Difference } from './kit/compare.ts';
import type { Request as Asked } from './kit/translate.ts';
import type { Case, Exchange, Mismatch, Trees, Trial } from './trees/trees.ts';

export interface Finding {
  readonly trees: Trees;
  /** What is common to all differences of one cause. */
  readonly cause: string;
  readonly trial: Trial;
  readonly mismatch: Mismatch;
  /** How many requests show it. */
  readonly count: number;
}

/** Where differences tell most of their cause, first. */
const TELLING = [/^status/, /^body/, /^headers\/content-language/, /^headers\/(?!link|x-change)/, /./];

const ranked = ({ at }: Difference): number => TELLING.findIndex((each) => each.test(at));

/** @returns where a difference is, without positions, so that one mistake is one place */
function describePlace({ at }: Difference, { answer }: Exchange): string {
  const parts = at.split('/').filter((part) => !/^\d+$/.test(part));
  if (parts[0] !== 'body' || answer.status >= 400) return parts.join('/');
  return ['body', ...parts.slice(1).slice(-1)].join('/');
}

/** @returns what differences have in common that are one mistake */
function describeCause({ differences, exchanges }: Mismatch): string {
  const [one, other] = exchanges;
  const best = Math.min(...differences.map(ranked));
  // A word that is wrong is one too few and one too many: the same of both is taken, whichever tree was asked first.
  const [place = ''] = differences
    .filter((each) => ranked(each) === best)
    .map((each) => describePlace(each, other))
    .sort();
  const tags = [one.tag, other.tag].sort().join(' and ');
  const statuses = place === 'status' ? ` ${[one.answer.status, other.answer.status].sort().join(' and ')}` : '';
  return `${tags}: ${place}${statuses}`;
}

/** @returns the same case with one thing less, in all ways */
const smaller = (asked: Case): readonly Case[] => {
  const [path = '', query = ''] = asked.url.split('?');
  const pairs = query === '' ? [] : query.split('&');
  const without = pairs.map((_, at) => pairs.filter((__, index) => index !== at));
  // A list of several words may show the difference with one word less.
  const shorter = pairs.flatMap((pair, at) =>
    pair.includes(',') ? [pairs.with(at, pair.replace(/,[^,]*$/, ''))] : [],
  );
  const { headers: _, ...withoutHeaders } = asked;
  const { follow: __, ...alone } = asked;
  return [
    ...(path.endsWith('/') ? [{ ...asked, url: asked.url.replace(/\/(?=\?|$)/, '') }] : []),
    ...[...without, ...shorter].map((some) => ({ ...asked, url: [path, some.join('&')].filter(Boolean).join('?') })),
    ...(asked.headers ? [withoutHeaders] : []),
    ...(asked.follow ? [alone] : []),
  ];
};

/** @returns a finding with the smallest case that shows a difference of the same cause */
async function shrink(finding: Finding): Promise<Finding> {
  for (const asked of smaller(finding.trial.asked)) {
    const trial = { ...finding.trial, asked };
    const outcome = await check(finding.trees, trial);
    if (outcome.kind !== 'different' || describeCause(outcome) !== finding.cause) continue;
    return shrink({ ...finding, trial, mismatch: outcome });
  }
  return finding;
}

/**
 * Adds a mismatch to the finding of its cause, or a new finding.
 *
 * @param isFixed whether the case is as small as it gets, because it writes
 * @returns the cause
 */
export async function addMismatch(
  findings: Map<string, Finding>,
  trees: Trees,
  trial: Trial,
  mismatch: Mismatch,
  isFixed: boolean,
): Promise<string> {
  const cause = describeCause(mismatch);
  const first = { trees, cause, trial, mismatch, count: 0 };
  const finding = findings.get(cause) ?? (isFixed ? first : await shrink(first));
  findings.set(cause, { ...finding, count: finding.count + 1 });
  return cause;
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** @returns the headers of a request as options of curl; what the options of a run give for each request may be secret, and is a variable */
function writeHeaders(given: Trees['headers'], { headers = {}, body }: Asked): readonly string[] {
  const own = { ...(body !== undefined && { 'content-type': 'application/json' }), ...lowerNames(headers) };
  const secrets = Object.entries(lowerNames(given)).filter(([name]) => !Object.hasOwn(own, name));
  return [
    ...secrets.map(([name, value]) => {
      const isKey = /^bearer /i.test(value);
      return `-H "${name}: ${isKey ? 'Bearer $KEY' : `$${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`}"`;
    }),
    ...Object.entries(own).map((header) => `-H ${quote(header.join(': '))}`),
  ];
}

const lowerNames = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** @returns a request as a command of a shell */
function writeCurl(trees: Trees, { tag, request }: Exchange): string {
  const { method = 'GET', url, body } = request;
  return [
    'curl -i',
    method === 'HEAD' ? '-I' : method === 'GET' ? '' : `-X ${method}`,
    ...writeHeaders(trees.headers, request),
    body === undefined ? '' : `-d ${quote(typeof body === 'string' ? body : JSON.stringify(body))}`,
    quote(trees.addressOf(tag, url)),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

const LONGEST = 100;

/** @returns a value as one line, cut if it is long */
export const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** @returns the two requests of a finding, as commands */
export const writeCommands = ({ trees, mismatch }: Finding): readonly string[] =>
  mismatch.exchanges.map((exchange) => writeCurl(trees, exchange));

/** @returns the differences of a finding, one a line */
export function explainDifferences({ mismatch }: Finding): readonly string[] {
  const [one, other] = mismatch.exchanges;
  return mismatch.differences
    .slice(0, 3)
    .map((each) => `${each.at}   ${one.tag}: ${short(each.one)}   ${other.tag}: ${short(each.other)}`);
}

/** @returns a finding as people read it: two commands, and what their answers say, side by side */
export const describeFinding = (finding: Finding): string =>
  [
    `${finding.cause} (${finding.count} ${finding.count === 1 ? 'request' : 'requests'})`,
    ...[...writeCommands(finding), ...explainDifferences(finding)].map((line) => `  ${line}`),
  ].join('\n');
