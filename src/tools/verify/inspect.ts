import type { Catalogue } from '../../gateway/model/catalogue.ts';
import type { RawDatabase } from '../raw-database/raw-database.ts';
import { type Finding, inChange } from './findings.ts';
import { keptFindings } from './kept.ts';
import { ownFindings } from './own.ts';
import { renewFolded, rowFindings } from './rows.ts';
import { renewTerms, termsCheck } from './terms.ts';
import { renewTotals, totalsFindings } from './totals.ts';

/** What follows from the items of a collection is made anew, also while other processes write. */
const renewals = { 'verify-folded': renewFolded, 'verify-totals': renewTotals, 'verify-words': renewTerms } as const;

export const canRepair = (findings: readonly Finding[]): boolean =>
  findings.some(({ text }) => text === 'verify-change' || text in renewals);

export const repair = async (database: RawDatabase, catalogue: Catalogue, found: readonly Finding[]): Promise<void> => {
  for (const [text, renew] of Object.entries(renewals)) {
    for (const collection of catalogue) {
      const isWrong = found.some((each) => each.text === text && each.values.table === collection.name);
      if (isWrong) await renew(database, collection);
    }
  }
  const change = found.find(({ text }) => text === 'verify-change');
  if (change) await inChange(database, async () => {}, Number(change.values.last) + 1);
};

/**
 * Checks a whole database in one snapshot, also while other processes write.
 *
 * @param onRows called with the number of rows that were read
 */
export const inspect = async (
  database: RawDatabase,
  catalogue: Catalogue,
  onRows: (table: string, rows: number) => void,
): Promise<{ readonly findings: readonly Finding[]; readonly isChecked: boolean }> => {
  // Outside of the snapshot, which an error would end.
  const own = await ownFindings(database);
  const isChecked = own !== undefined;
  // A damaged file cannot be checked further.
  if (own?.some(({ text }) => text === 'verify-own')) return { findings: own, isChecked };
  const findings = await database.snapshot(async () => {
    const found = [...(own ?? []), ...(await keptFindings(database, catalogue))];
    for (const collection of catalogue) {
      const { name } = collection;
      const isKnown = found.some(({ text, values }) => text === 'verify-words' && values.table === name);
      const words = isKnown ? undefined : await termsCheck(database, collection);
      found.push(...(await rowFindings(database, collection, words, (rows) => onRows(name, rows))));
      found.push(...(await totalsFindings(database, collection)));
    }
    return found;
  });
  return { findings, isChecked };
};
