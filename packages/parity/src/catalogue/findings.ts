/** Differences by their causes, each with the smallest request that shows it. */
import { canonical } from '../kit/canonical.ts';
import type { Dictionary } from '../kit/dictionary.ts';
import { compare, type Difference, type Spoken } from '../kit/same.ts';
import { pairWords } from '../kit/words.ts';
import type { Case } from './cases.ts';
import { check, type Mismatch, type Trial } from './check.ts';
import type { Service } from './service.ts';

export interface Finding {
  /** What is common to all differences of one cause. */
  readonly cause: string;
  readonly trial: Trial;
  readonly mismatch: Mismatch;
  /** How many requests show it. */
  readonly count: number;
}

/** Where differences tell most of their cause, first. */
const TELLING = [/^status/, /^body/, /^headers\/content-language/, /^headers\/(?!link)/, /./];

const ranked = ({ at }: Difference): number => TELLING.findIndex((each) => each.test(at));

/** @returns where a difference is, without positions and in names, so that one wrong word is one cause */
const describePlace = ({ at }: Difference, { answer, language }: Spoken, names: Dictionary): string => {
  const parts = at.split('/').filter((part) => !/^\d+$/.test(part));
  if (parts[0] !== 'body') return parts.join('/');
  // Members of a problem are the same in every language; a single error says what the problem says.
  if (answer.headers['content-type']?.startsWith('application/problem+json'))
    return parts.toSpliced(1, parts.length > 2 && parts[1] === 'errors' ? 1 : 0).join('/');
  // An item is what it is wherever it stands: alone, in a list, inside of another one.
  return [
    'body',
    ...parts
      .slice(1)
      .slice(-1)
      .map((part) => pairWords(language, names).any(part)[0] ?? part),
  ].join('/');
};

/** @returns what differences have in common that are one mistake */
const describeCause = ({ differences, answers }: Mismatch, names: Dictionary): string => {
  const [one, other] = answers;
  const best = Math.min(...differences.map(ranked));
  // A word that is wrong is one too few and one too many: the same of both is taken, whichever language was asked first.
  const [place = ''] = differences
    .filter((each) => ranked(each) === best)
    .map((each) => describePlace(each, other, names))
    .sort();
  const languages = [one.language.tag, other.language.tag].sort().join(' and ');
  const statuses = place === 'status' ? ` ${[one.answer.status, other.answer.status].sort().join(' and ')}` : '';
  return `${languages}: ${place}${statuses}`;
};

/** @returns the same case with one thing less, in all ways */
const smaller = (asked: Case): readonly Case[] => {
  const [path = '', query = ''] = asked.url.split('?');
  const pairs = query === '' ? [] : query.split('&');
  const without = pairs.map((_, at) => pairs.filter((__, index) => index !== at));
  // Of several words one is enough.
  const shorter = pairs.flatMap((pair, at) =>
    pair.includes(',') ? [pairs.with(at, pair.replace(/,[^,]*$/, ''))] : [],
  );
  const { headers, follow, ...rest } = asked;
  return [
    ...(path.endsWith('/') ? [{ ...asked, url: asked.url.replace(/\/(?=\?|$)/, '') }] : []),
    ...[...without, ...shorter].map((some) => ({
      ...asked,
      url: some.length > 0 ? `${path}?${some.join('&')}` : path,
    })),
    ...(headers ? [{ ...rest, ...(follow && { follow }) }] : []),
    ...(follow ? [{ ...rest, ...(headers && { headers }) }] : []),
  ];
};

/** @returns the smallest case that shows a difference of the same cause */
const shrink = async (service: Service, finding: Finding): Promise<Finding> => {
  for (const asked of smaller(finding.trial.asked)) {
    const trial = { ...finding.trial, asked };
    const outcome = await check(service, trial);
    if (outcome.kind !== 'different' || describeCause(outcome, service.names) !== finding.cause) continue;
    return shrink(service, { ...finding, trial, mismatch: outcome });
  }
  return finding;
};

/** Collects differences, one finding for each cause. */
export class Findings {
  readonly #service: Service;
  readonly #byCause = new Map<string, Finding>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** @param isFixed whether the case is as small as it gets, because it writes @returns its cause */
  async add(trial: Trial, mismatch: Mismatch, isFixed = false): Promise<string> {
    const cause = describeCause(mismatch, this.#service.names);
    const first = { cause, trial, mismatch, count: 0 };
    const finding = this.#byCause.get(cause) ?? (isFixed ? first : await shrink(this.#service, first));
    this.#byCause.set(cause, { ...finding, count: finding.count + 1 });
    return cause;
  }

  all(): readonly Finding[] {
    return [...this.#byCause.values()];
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const curl = (service: Service, { method = 'GET', url, headers = {}, body }: Mismatch['requests'][number]): string =>
  [
    'curl -i',
    method === 'HEAD' ? '-I' : method === 'GET' ? '' : `-X ${method}`,
    ...Object.entries(headers).map((header) => `-H ${quote(header.join(': '))}`),
    body === undefined ? '' : `-d ${quote(typeof body === 'string' ? body : JSON.stringify(body))}`,
    quote(service.origin + url),
  ]
    .filter((part) => part !== '')
    .join(' ');

const LONGEST = 100;

/** @returns a value as one line, cut if it is long */
export const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
};

/** @returns a finding as people read it: two commands, and what their responses say in names, side by side */
export const described = (service: Service, { cause, mismatch, count }: Finding): string => {
  const [one, other] = mismatch.answers;
  const said = mismatch.answers.map(({ answer, language }) => canonical(answer, language, service.languages));
  const inNames = compare('', said[0], said[1]);
  const shown = (inNames.length > 0 ? inNames : mismatch.differences).slice(0, 3);
  return [
    `${cause} (${count} ${count === 1 ? 'request' : 'requests'})`,
    ...mismatch.requests.map((request) => `  ${curl(service, request)}`),
    ...shown.map(
      (each) => `  ${each.at}   ${one.language.tag}: ${short(each.one)}   ${other.language.tag}: ${short(each.other)}`,
    ),
  ].join('\n');
};
