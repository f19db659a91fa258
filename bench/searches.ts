/** First pages of what a search finds, with the total. */
import { type Report, shown, table } from './support/report.ts';
import { spreadOf } from './support/statistics.ts';
import { ENGLISH } from './support/workloads.ts';

/** Of these records: rare and common words, in one text and in several, beginnings, three words. */
const SEARCHES: readonly string[] = ['ibiza tdi', 'seat i', 'citroen c4', 'diesel 2', 'diesel 2.0', '1.9 tdi sport'];
const WANTED = 50;
const WARM_UP = 6;
const TIMES = 15;

/** The pages after the first cost the same, and none of them was requested before. */
const pageOf = (origin: string, search: string, page: number): string =>
  `${origin}${ENGLISH.collection}?search=${encodeURIComponent(search)}&${ENGLISH.size}=50&${ENGLISH.page}=${page}`;

export const searchPages = async (origin: string): Promise<Report> => {
  const rows: string[][] = [];
  for (const search of SEARCHES) {
    const times: number[] = [];
    let total = '';
    for (let page = 1; page <= WARM_UP + TIMES; page++) {
      const sent = performance.now();
      const response = await fetch(pageOf(origin, search, page));
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${search}: ${response.status}`);
      if (page > WARM_UP) times.push(performance.now() - sent);
      total = response.headers.get('x-total-count') ?? '';
    }
    const found = spreadOf(times);
    rows.push([search, total, shown(found), `≤ ${WANTED}`, found.median <= WANTED ? 'met' : '**missed**']);
  }
  return ['## Searches, pages of 50', '', ...table(['', 'found', 'ms: median [range]', 'wanted', ''], rows)];
};
