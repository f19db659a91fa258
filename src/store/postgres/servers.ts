import { addressesOf } from './addresses.ts';

/** The servers of a URL, of which one is used. */
export interface Servers {
  /** The URL of the one that is used. */
  readonly current: () => string;
  readonly isOne: boolean;
  /** Looks for one before the first use. */
  readonly find: () => Promise<void>;
  /** Looks at all of them at once, and goes to the first that will do; stays where none does. */
  readonly seek: () => Promise<void>;
}

/**
 * @param reach rejects where a server is not to be had, or will not do
 * @param moved told when another one is used from now on
 */
export const serversOf = (url: string, reach: (server: string) => Promise<void>, moved: () => void): Servers => {
  const servers = (addressesOf(url) ?? []).map((address) => address.url);
  const isOne = servers.length < 2;
  let [current = url] = servers;
  let isFound = isOne;
  let seeking: Promise<void> | undefined;

  const reached = async (server: string): Promise<string> => {
    await reach(server);
    return server;
  };
  const go = (server: string): void => {
    if (server === current) return;
    current = server;
    moved();
  };
  const seek = (): Promise<void> => {
    seeking ??= Promise.any(servers.map(reached))
      .then(go, () => {})
      .finally(() => {
        seeking = undefined;
      });
    return seeking;
  };
  return {
    current: () => current,
    isOne,
    find: async () => {
      if (isFound) return;
      await seek();
      isFound = true;
    },
    seek,
  };
};
