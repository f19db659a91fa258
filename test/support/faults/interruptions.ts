/** Interruptions of the database of a running service, under clients that write: what it answers meanwhile, and that it goes on by itself. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WhenOver } from '../process/folder.ts';
import { type Serving, serve } from '../process/service.ts';
import { expectReadiness, expectRefusals } from './expect-unavailable.ts';
import { emptyPersistentLedger } from './persistent-writers.ts';
import { openRelay, type Relay } from './relay.ts';
import { expectAll, underLoad } from './under-load.ts';

/** A database that a service reaches through a relay. */
export interface Reached {
  readonly url: string;
}

export interface Place<D extends Reached> {
  readonly database: D;
  readonly relay: Relay;
}

/** Lasts until it is mended. */
export type Outage<D extends Reached> = readonly [
  name: string,
  strike: (place: Place<D>) => Promise<() => void | Promise<void>>,
];

/** Is over by itself, and comes several times. */
export type Upset<D extends Reached> = readonly [
  name: string,
  times: number,
  strike: (place: Place<D>) => Promise<unknown>,
];

interface Interruptions<D extends Reached> {
  readonly outages: readonly Outage<D>[];
  readonly upsets: readonly Upset<D>[];
}

const KEPT = { identifier: 'kept', brand: 'Seat', model: 'Ibiza', enginePower: 1, version: 'mark 1' };

/**
 * One service for all tests, which run one after the other: it goes on after each.
 *
 * @returns the service and its place, while tests run
 */
export const interruptions = <D extends Reached>(
  open: (whenOver: WhenOver) => Promise<D>,
  { outages, upsets }: Interruptions<D>,
): (() => Place<D> & { readonly service: Serving }) => {
  let opened: (Place<D> & { readonly service: Serving }) | undefined;
  const place = () => {
    if (!opened) throw new TypeError('no service is open');
    return opened;
  };
  const { known } = emptyPersistentLedger();
  const cleanUps: (() => unknown)[] = [];
  const whenOver: WhenOver = (cleanUp) => void cleanUps.push(cleanUp);
  beforeAll(async () => {
    const database = await open(whenOver);
    const url = new URL(database.url);
    const relay = await openRelay(Number(url.port), whenOver);
    url.port = String(relay.port);
    const env = { DATABASE_URL: url.href, DATABASE_TIMEOUT: '1000', DATABASE_POOL: '4' };
    const service = await serve({ env, whenOver });
    opened = { database, relay, service };
    const answer = await fetch(`${service.origin}/api/cars`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(KEPT),
    });
    expect(answer.status).toBe(201);
    known.set('kept', 1);
  });
  afterAll(async () => {
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  const load = () => {
    const { origin } = place().service;
    const ledger = { ...emptyPersistentLedger(), known };
    return { origin, ledger, ...underLoad(origin, ledger) };
  };

  test.each(outages)('%s answers 503 in time, in the right language, and goes on afterwards', async (_, strike) => {
    const { origin, ledger, more, stop } = load();
    await more();
    const mend = await strike(place());
    await expectReadiness(origin, false);
    await expectRefusals(origin);
    await mend();
    await expectReadiness(origin, true);
    await more();
    await stop();
    expect(ledger.counts.refused).toBeGreaterThan(0);
    await expectAll(origin, ledger);
    expect(ledger.counts.broken).toBe(0);
  });

  test.each(upsets)('%s loses nothing and does nothing twice', async (_, times, strike) => {
    const { origin, ledger, more, stop } = load();
    for (let time = 0; time < times; time++) {
      await more();
      await strike(place());
    }
    await expectReadiness(origin, true);
    await more();
    await stop();
    await expectAll(origin, ledger);
    expect(ledger.counts.broken).toBe(0);
  });
  return place;
};
