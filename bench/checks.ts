import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text as bodyOf } from 'node:stream/consumers';
import { type Ground, PAGE, type Scenario, type Speaker } from './peers.ts';
import { BRANDS, type Car, carAt, carsUpTo } from './records.ts';

/** Items that are asked for, the first of all: json-server looks for an item from the start of its list. */
const ITEMS = 1_000;

/** Filters that are no filter; each set of them is another address of the same list. */
const EMPTY = ['model', 'year', 'doors', 'enginePower', 'version', 'clima', 'ac', 'fuel'];

const spelled = (path: string, number: number): string =>
  [path, ...EMPTY.filter((_, at) => number & (1 << at)).map((word) => `${word}=`)].join('&');

export const pathsOf = (contender: Speaker, scenario: Scenario): readonly string[] => {
  const { items = ITEMS, spellings = 1, itemPath, listPath } = contender;
  if (scenario !== 'list') return carsUpTo(items).map(itemPath);
  return Array.from({ length: spellings }, (_, at) => BRANDS.map((brand) => spelled(listPath(brand), at))).flat();
};

const fail = (name: string, path: string, text: string): never => {
  throw new Error(`${name}: the answer to ${path} is not what is claimed:\n${text.slice(0, 400)}`);
};

/** Asks a server, or an app in process. */
export type Ask = (path: string) => Response | Promise<Response>;

export const askAt =
  (origin: string): Ask =>
  (path) =>
    fetch(origin + path);

const answerTo = async (ask: Ask, path: string): Promise<readonly [string, Headers]> => {
  const response = await ask(path);
  const text = await response.text();
  if (response.status !== 200) fail('status', path, `${response.status} ${text}`);
  return [text, response.headers];
};

const known = new Map<number, ReadonlyMap<string, readonly Car[]>>();
const carsOf = (brand: string, count: number): readonly Car[] => {
  const grouped = known.get(count) ?? Map.groupBy(carsUpTo(count), (car) => car.brand);
  known.set(count, grouped);
  return grouped.get(brand) ?? [];
};

const textOf = ({ shape }: Speaker, cars: readonly Car[]): string => JSON.stringify(cars.map(shape));

const checkConstant = async (contender: Speaker, ask: Ask, scenario: 'item' | 'list', world: Ground) => {
  const answers = JSON.parse(readFileSync(world.answers, 'utf8'));
  const [path = ''] = pathsOf(contender, scenario);
  const [text] = await answerTo(ask, path);
  if (text !== answers[scenario].body) fail(contender.name, path, text);
};

const checkItems = async (contender: Speaker, ask: Ask): Promise<void> => {
  for (let number = 0; number < ITEMS; number += 20) {
    const car = carAt(number);
    const path = contender.itemPath(car);
    const [text] = await answerTo(ask, path);
    if (contender.readItem(text) !== JSON.stringify(contender.shape(car))) fail(contender.name, path, text);
  }
};

const checkLists = async (contender: Speaker, ask: Ask, { cars }: Ground): Promise<void> => {
  for (const brand of BRANDS) {
    const path = contender.listPath(brand);
    const [answer, headers] = await answerTo(ask, path);
    const wanted = carsOf(brand, cars);
    const { text, total } = contender.readList(answer, headers);
    const isRight = total === wanted.length && text === textOf(contender, wanted.slice(0, PAGE));
    if (!isRight) fail(contender.name, path, answer);
  }
};

/** Compares what a contender answers with what it must. */
export const checkAnswers = async (
  contender: Speaker,
  ask: Ask,
  scenario: 'item' | 'list',
  world: Ground,
): Promise<void> => {
  if (contender.isConstant) return checkConstant(contender, ask, scenario, world);
  return scenario === 'item' ? checkItems(contender, ask) : checkLists(contender, ask, world);
};

/** Compares the list of everything with what it must be. */
export const checkWhole = async (contender: Speaker, ask: Ask, { cars }: Ground): Promise<void> => {
  const [text] = await answerTo(ask, contender.collection);
  if (text !== textOf(contender, carsUpTo(cars))) fail(contender.name, contender.collection, text);
};

const respond = (agent: Agent, url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get(url, { agent }, resolve).on('error', reject));

/** @returns the bytes of an answer, headers included, on average over paths that are asked for in turn */
export const meanBytes = async (origin: string, paths: readonly string[]): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let bytes = 0;
  for (const path of paths) {
    const response = await respond(agent, origin + path);
    const { socket } = response;
    await bodyOf(response);
    bytes = socket.bytesRead;
  }
  agent.destroy();
  return bytes / paths.length;
};

/** @returns how many cars there are, as the totals of its lists say */
export const countCars = async (contender: Speaker, origin: string): Promise<number> => {
  let total = 0;
  for (const brand of BRANDS) {
    const [, headers] = await answerTo(askAt(origin), contender.listPath(brand));
    total += Number(headers.get('x-total-count'));
  }
  return total;
};

/** Headers that every server of Node.js makes by itself. */
const OWN = new Set(['date', 'connection', 'keep-alive']);

const recorded = async (origin: string, path: string) => {
  const agent = new Agent();
  const response = await respond(agent, origin + path);
  const headers = response.rawHeaders.filter((_, at, all) => !OWN.has((all[at - (at % 2)] ?? '').toLowerCase()));
  return { headers, body: await bodyOf(response) };
};

/** Writes down the service's answers, headers and all, for those that repeat them. */
export const recordAnswers = async (service: Speaker, origin: string, world: Ground): Promise<void> => {
  const [item = ''] = pathsOf(service, 'item');
  const [list = ''] = pathsOf(service, 'list');
  const answers = { item: await recorded(origin, item), list: await recorded(origin, list) };
  writeFileSync(world.answers, JSON.stringify(answers));
};
