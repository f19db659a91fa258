import { addressesOf } from './addresses.ts';

/**
 * The servers that a URL names. One of them is used.
 *
 * @param reach rejects where a server cannot be reached or is not suitable
 * @param moved called when the server has changed
 */
export const serversOf = (url: string, reach: (server: string) => Promise<void>, moved: () => void) => {
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
  /** Tries all of them at once and changes to the first that is suitable, if any. */
  const seek = (): Promise<void> => {
    seeking ??= Promise.any(servers.map(reached))
      .then(go, () => {})
      .finally(() => {
        seeking = undefined;
      });
    return seeking;
  };
  return {
    /** The URL of the one that is used. */
    current: (): string => current,
    isOne,
    /** Chooses one before the first use. */
    find: async (): Promise<void> => {
      if (isFound) return;
      await seek();
      isFound = true;
    },
    seek,
  };
};
