import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../../packages/parity/src/run.ts';
import { editedLocales, type LooseTable } from '../../support/language/locale-folder.ts';
import { faults } from '../../support/parity/faults.ts';
import { openGarage } from '../../support/parity/garage.ts';
import { slowly, withWriters } from '../../support/parity/meanwhile.ts';

let garage: Awaited<ReturnType<typeof openGarage>>;
beforeAll(async () => {
  garage = await openGarage();
});
afterAll(() => garage.close());

const TIME = 60_000;

describe('the checker finds', () => {
  test.each(faults)('$name', async ({ foundAt, writes = false, ...fault }) => {
    const service = await garage.open(fault);
    const { findings, documents } = await run(service, { seed: 7, cases: 400, time: TIME, writes });
    const found = [...findings.map(({ cause }) => cause), ...documents];
    expect(
      found.filter((each) => foundAt.test(each)),
      JSON.stringify(found),
    ).not.toEqual([]);
  });
});

const inTable: readonly (readonly [what: string, edit: (spanish: LooseTable) => void, foundAt: RegExp])[] = [
  ['a word of the other language', ({ phrases }) => (phrases['item-missing'] += ' Lea sort_by.'), /words of en/],
  ['another limit', ({ phrases }) => (phrases['parameter-positive'] = '«{word}» debe ser 2 o más.'), /detail\/numbers/],
  [
    'a word without quotation marks',
    ({ phrases }) => (phrases['parameter-integer'] = '{word} es otra cosa.'),
    /detail\/quoted/,
  ],
  [
    'advice in the other language',
    ({ pages }) => (pages.remedies['not-found'] = 'Look for it by sort_by.'),
    /words of en/,
  ],
];

describe('the checker finds what the Spanish table has wrong', () => {
  test.each(inTable)('%s', async (_, edit, foundAt) => {
    const locales = editedLocales((table, tag) => tag === 'es' && edit(table));
    const spoilt = await openGarage({ locales });
    onTestFinished(() => spoilt.close());
    const { findings } = await run(await spoilt.open(), { seed: 7, cases: 400, time: TIME });
    expect(findings.map(({ cause }) => cause)).toEqual([expect.stringMatching(foundAt)]);
  });
});

test('a hundred seeds beside three writers are no false alarm', async () => {
  const service = await garage.open({}, slowly(garage.send));
  let [all, moved] = [0, 0];
  for (let seed = 1; seed <= 100; seed++) {
    const { result, writes } = await withWriters(garage.send, () =>
      run(service, { seed, cases: 100, time: TIME, writes: seed % 10 === 0 }),
    );
    const { findings, documents, tooLittle, checked } = result;
    expect([seed, findings.map(({ cause }) => cause), documents, tooLittle]).toEqual([seed, [], [], undefined]);
    expect(checked.length).toBeGreaterThanOrEqual(100);
    all += writes;
    moved += checked.filter(({ outcome }) => outcome === 'moved').length;
  }
  expect(all).toBeGreaterThan(1000);
  console.log(`${all} writes meanwhile, ${moved} of 10000 cases not comparable`);
});
