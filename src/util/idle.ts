/** Milliseconds after which what is idle ends. */
const KEPT = 20_000;

export const idlePool = <T>(most: number, start: () => T, end: (each: T) => Promise<unknown>) => {
  const idle = new Map<T, NodeJS.Timeout>();
  const forget = (each: T): void => {
    clearTimeout(idle.get(each));
    idle.delete(each);
  };
  const endIdle = async (each: T): Promise<void> => {
    forget(each);
    await end(each);
  };
  return {
    take: (): T => {
      const [each = start()] = idle.keys();
      forget(each);
      return each;
    },
    giveBack: (each: T): void => {
      if (idle.size < most) idle.set(each, setTimeout(endIdle, KEPT, each).unref());
      else void end(each);
    },
    forget,
    endAll: async (): Promise<void> => void (await Promise.all([...idle.keys()].map(endIdle))),
  };
};
