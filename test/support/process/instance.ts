import { expect } from 'vitest';
import { freePort } from './free-port.ts';
import { type Serving, serve } from './service.ts';

/** An instance that is started again at the address that it had. */
export interface Instance {
  readonly origin: string;
  readonly port: number;
  readonly start: () => Promise<void>;
  readonly end: (signal: NodeJS.Signals) => Promise<void>;
}

/** @param readEnv what it is given at each start */
export const createInstance = async (readEnv: () => Readonly<Record<string, string>>): Promise<Instance> => {
  const port = await freePort();
  let service: Serving | undefined;
  return {
    ...{ origin: `http://127.0.0.1:${port}`, port },
    start: async () => {
      service = await serve({ env: { ...readEnv(), PORT: String(port) } });
    },
    end: async (signal) => {
      expect(await service?.end(signal)).toBe(signal === 'SIGKILL' ? signal : 0);
    },
  };
};
