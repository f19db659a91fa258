/** How many planted faults the checker finds, and whether it says anything where there is none. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../../packages/parity/src/run.ts';

import type { Trees } from '../../../packages/parity/src/trees/trees.ts';
import { editedLocales, type LooseTable } from '../../support/language/locale-folder.ts';
import { openProducts, openTasks } from '../../support/parity/examples.ts';
import { type Fault, faults, productFaults, taskFaults } from '../../support/parity/faults.ts';
import { openGarage } from '../../support/parity/garage.ts';
import { slowly, withWriters } from '../../support/parity/meanwhile.ts';

const TIME = 60_000;

const services = [
  ['catalogue', openGarage, faults],
  ['around-hono', openTasks, taskFaults],
  ['before-an-api', openProducts, productFaults],
] as const;

interface Opened {
  readonly open: (fault?: Partial<Fault>) => Promise<Trees>;
  readonly close: () => unknown;
}

describe.each(services)('%s', (_, openService, planted) => {
  let service: Opened;
  beforeAll(async () => {
    service = await openService();
  });
  afterAll(() => service.close());

  test.each(planted)('$name is found', async ({ foundAt, writes = false, name, ...fault }) => {
    const { findings, documents } = await run(await service.open(fault), { seed: 7, cases: 1000, time: TIME, writes });
    const found = [...findings.map(({ cause }) => cause), ...documents];
    expect(
      found.filter((each) => foundAt.test(each)),
      `${name}: ${JSON.stringify(found)}`,
    ).not.toEqual([]);
  });

  test('a hundred seeds are no false alarm', async () => {
    const subject = await service.open();
    for (let seed = 1; seed <= 100; seed++) {
      const { findings, documents } = await run(subject, { seed, cases: 100, time: TIME, writes: seed % 10 === 0 });
      const told = findings.map(({ cause, mismatch }) => [cause, mismatch.exchanges.map(({ request }) => request)]);
      expect([seed, told, documents]).toEqual([seed, [], []]);
    }
  });
});

const inTable: readonly (readonly [what: string, edit: (spanish: LooseTable) => void, foundAt: RegExp])[] = [
  ['another limit', ({ phrases }) => (phrases['parameter-positive'] = '«{word}» debe ser 2 o más.'), /detail\/numbers/],
  [
    'a word without quotation marks',
    ({ phrases }) => (phrases['parameter-integer'] = '{word} es otra cosa.'),
    /detail\/quoted/,
  ],
  [
    'advice in the other language',
    ({ problems }) => (problems['not-found'].remedy = 'Look for it by sort_by.'),
    /words of the other|of the other/,
  ],
];

describe('the checker finds what the Spanish table has wrong', () => {
  test.each(inTable)('%s', async (_, edit, foundAt) => {
    const locales = editedLocales((table, tag) => tag === 'es' && edit(table));
    const spoilt = await openGarage({ locales });
    onTestFinished(() => spoilt.close());
    const { findings, documents } = await run(await spoilt.open(), { seed: 7, cases: 1000, time: TIME });
    expect([...findings.map(({ cause }) => cause), ...documents].join('\n')).toMatch(foundAt);
  });
});

test('ten seeds beside three writers are no false alarm', async () => {
  const garage = await openGarage();
  onTestFinished(() => garage.close());
  const service = await garage.open({}, slowly(garage.send));
  for (let seed = 1; seed <= 10; seed++) {
    const { result } = await withWriters(garage.send, () => run(service, { seed, cases: 100, time: TIME }));
    const { findings, documents, tooLittle } = result;
    expect([seed, findings.map(({ cause }) => cause), documents, tooLittle]).toEqual([seed, [], [], undefined]);
  }
});
