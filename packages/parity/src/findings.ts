/** Differences by their causes, each with the smallest request that shows it. */
import { check } from './check.ts';
import type { Difference } from './kit/compare.ts';
import type { Say } from './texts.ts';
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

/** @returns where a difference is, without positions, so that one mistake is one place */
function describePlace({ at }: Difference, { answer }: Exchange): string {
  const parts = at.split('/').filter((part) => !/^\d+$/.test(part));
  const isMember = parts[0] === 'body' && answer.status < 400;
  return isMember ? ['body', ...parts.slice(1).slice(-1)].join('/') : parts.join('/');
}

/** @returns what differences have in common that are one mistake */
function describeCause({ differences, exchanges }: Mismatch): string {
  const [one, other] = exchanges;
  const groups = TELLING.map((pattern) => differences.filter(({ at }) => pattern.test(at)));
  const telling = groups.find((group) => group.length > 0) ?? [];
  // A word that is wrong is one too few and one too many: the same of both is taken, whichever tree was asked first.
  const [place = ''] = telling.map((difference) => describePlace(difference, other)).sort();
  const tags = [one.tag, other.tag].sort().join(' and ');
  const statuses = place === 'status' ? ` ${[one.answer.status, other.answer.status].sort().join(' and ')}` : '';
  return `${tags}: ${place}${statuses}`;
}

/** @returns the same request with one thing less, in all ways */
function listSmaller(request: Case): readonly Case[] {
  const [path = '', query = ''] = request.url.split('?');
  const pairs = query === '' ? [] : query.split('&');
  // A list of several words may show the difference with one word less.
  const shorter = pairs.flatMap((pair, at) =>
    pair.includes(',') ? [pairs.with(at, pair.replace(/,[^,]*$/, ''))] : [],
  );
  const queries = [...pairs.map((_, at) => pairs.toSpliced(at, 1)), ...shorter];
  const { headers: _, ...withoutHeaders } = request;
  const { follow: __, ...alone } = request;
  return [
    ...(path.endsWith('/') ? [{ ...request, url: request.url.replace(/\/(?=\?|$)/, '') }] : []),
    ...queries.map((some) => ({ ...request, url: [path, some.join('&')].filter(Boolean).join('?') })),
    ...(request.headers ? [withoutHeaders] : []),
    ...(request.follow ? [alone] : []),
  ];
}

/** @returns a finding with the smallest request that shows a difference of the same cause */
async function shrink(finding: Finding): Promise<Finding> {
  for (const request of listSmaller(finding.trial.request)) {
    const trial = { ...finding.trial, request };
    const outcome = await check(finding.trees, trial);
    if (outcome.kind !== 'different' || describeCause(outcome) !== finding.cause) continue;
    return shrink({ ...finding, trial, mismatch: outcome });
  }
  return finding;
}

/**
 * Adds a mismatch to the finding of its cause, or a new finding.
 *
 * @param isFixed whether the request is as small as it gets, because it writes
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

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** @returns a header as an option of curl; what is given for each request of a run may be secret, and is a variable */
function writeSecret(name: string, value: string): string {
  const variable = /^bearer /i.test(value) ? 'Bearer $KEY' : `$${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
  return `-H "${name}: ${variable}"`;
}

/** @returns a request as a command of a shell */
function writeCurl(trees: Trees, { tag, request }: Exchange): string {
  const { method = 'GET', url, headers = {}, body } = request;
  const own = { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers };
  const secrets = Object.entries(trees.headers).filter(([name]) => !Object.hasOwn(own, name));
  return [
    'curl -i',
    ...(method === 'GET' ? [] : [method === 'HEAD' ? '-I' : `-X ${method}`]),
    ...secrets.map(([name, value]) => writeSecret(name, value)),
    ...Object.entries(own).map((header) => `-H ${quote(header.join(': '))}`),
    ...(body === undefined ? [] : [`-d ${quote(typeof body === 'string' ? body : JSON.stringify(body))}`]),
    quote(trees.resolveAddress(tag, url)),
  ].join(' ');
}

const LONGEST = 100;

/** @returns a value as one line, cut if it is long */
export function writeShort(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** @returns the two requests of a finding, as commands */
export function writeCommands({ trees, mismatch }: Finding): readonly string[] {
  return mismatch.exchanges.map((exchange) => writeCurl(trees, exchange));
}

/** @returns some differences of a finding, one a line */
export function listDifferences({ mismatch }: Finding): readonly string[] {
  const [{ tag }, { tag: otherTag }] = mismatch.exchanges;
  return mismatch.differences
    .slice(0, 3)
    .map(({ at, one, other }) => `${at}   ${tag}: ${writeShort(one)}   ${otherTag}: ${writeShort(other)}`);
}

/** @returns how many requests show a finding */
export function countRequests({ count }: Finding, say: Say): string {
  return count === 1 ? say('one-request') : say('requests', { count });
}

/** @returns a finding as people read it: two commands, and what their answers say, side by side */
export function describeFinding(finding: Finding, say: Say): string {
  const lines = [...writeCommands(finding), ...listDifferences(finding)].map((line) => `\n  ${line}`);
  return `${finding.cause} (${countRequests(finding, say)})${lines.join('')}`;
}
