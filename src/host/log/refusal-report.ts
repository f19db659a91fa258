import type { Log } from './log.ts';

/** Milliseconds after which an address is warned of again. */
const INTERVAL = 60_000;
/** The most addresses that are warned of in that time. */
const MOST = 1_000;

/** What an operator should know of: somebody who has no key at all may only have followed a link. */
const WARNINGS: Readonly<Record<string, string>> = {
  'key-invalid': 'their key or token is not valid',
  'scope-missing': 'their key or token lacks the scope',
  'rate-limited': 'they are beyond RATE_LIMIT',
};

/** A request that was refused. */
interface Refusal {
  /** The sentence that its client reads. */
  readonly reason: string;
  readonly address: string;
  readonly client: string | undefined;
}

/** @returns a function that warns of refused requests, of each address at most once a minute */
export const refusalReport = ({ warn }: Pick<Log, 'warn'>): ((refusal: Refusal) => void) => {
  const told = new Set<string>();
  return ({ reason, address, client }) => {
    const why = WARNINGS[reason];
    if (why === undefined || told.has(address) || told.size >= MOST) return;
    if (told.size === 0) setTimeout(() => told.clear(), INTERVAL).unref();
    told.add(address);
    const who = [client, address].filter(Boolean).join(', ');
    warn(`requests of ${who} are refused: ${why}`, undefined, { reason, address, client });
  };
};
