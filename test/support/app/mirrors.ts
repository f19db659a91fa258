/** Mirrors of a list, each as its documents say, which follow it until the car `end` has come. */
import { readEvents } from './events.ts';
import type { en, es } from './trees.ts';

type Tree = typeof en | typeof es;
type Item = Readonly<Record<string, unknown>>;

const END = 'end';

const mirrorOf = (tree: Tree) => {
  const items = new Map<unknown, Item>();
  return {
    items,
    tell: (item: Item): void => {
      const key = item[tree.identifier];
      if (item[tree.deleted] === true) items.delete(key);
      else items.set(key, item);
    },
    isOver: (): boolean => items.has(END),
  };
};

/** Asks for pages of changes, and where `prefer` says so waits for the first one. */
export const byPages = async (origins: readonly string[], tree: Tree, prefer?: string) => {
  const { items, tell, isOver } = mirrorOf(tree);
  let position = '0';
  for (let at = 0; !isOver(); at++) {
    const url = `${origins[at % origins.length]}${tree.cars}?${tree.changed_since}=${position}&${tree.number_of_elements}=7`;
    const response = await fetch(url, { headers: prefer === undefined ? {} : { prefer } });
    if (!response.ok) throw new Error(await response.text());
    for (const item of (await response.json()) as readonly Item[]) tell(item);
    position = response.headers.get('x-change') ?? '';
  }
  return items;
};

/** Follows events, and goes away every few of them. */
export const byEvents = async (origins: readonly string[], tree: Tree) => {
  const { items, tell, isOver } = mirrorOf(tree);
  let position = '';
  for (let at = 0; !isOver(); at++) {
    const response = await fetch(`${origins[at % origins.length]}${tree.cars}?${tree.changed_since}=0`, {
      headers: { accept: 'text/event-stream', ...(position === '' ? {} : { 'last-event-id': position }) },
    });
    const stream = readEvents(response);
    for (let count = 0; count < 20 && !isOver(); count++) {
      const event = await stream.next();
      if (!event) break;
      if (event.event === 'gone') throw new Error('the position is gone');
      tell(event.data);
      position = event.id;
    }
    await stream.leave();
  }
  return items;
};
