import { openCatalogue } from '../../../packages/parity/src/trees/catalogue.ts';
import type { Trees } from '../../../packages/parity/src/trees/trees.ts';
import { openApp, type TestOptions } from '../app/app.ts';
import type { Fault } from './faults.ts';
import { through } from './proxy.ts';
import { createItems } from './run-parity.ts';

const ORIGIN = 'http://catalogue.test';

/** Cars in which sorts, filters and languages can differ. */
const cars = ['Seat', 'SEAT', 'Citroën', 'Ávila', 'BMW', 'Audi'].flatMap((brand, at) =>
  [0, 1, 2, 3, 4].map((step) => ({
    identifier: `k/${at}-${step}`,
    brand,
    model: `M${(step * 7) % 5} Sport`,
    ...(step === 0 ? {} : { year: 2000 + ((at * 5 + step * 3) % 17) }),
    ...(at === 2 ? {} : { enginePower: 60 + 10 * step, clima: step > 1 }),
    ...(step === 1 ? { fuel: 'Diésel' } : {}),
  })),
);
const oils = ['5W-30', '10W/40', 'Nº 1'].map((type) => ({ type, otherInfo: `for ${type}` }));

/** @returns an app with cars and oils, and what opens it for the checker, through a fault or not */
export const openGarage = async (options: TestOptions = {}) => {
  const { app, close } = await openApp({ ...options });
  const send = async (url: string, init?: RequestInit): Promise<Response> => app.request(url, init);
  await createItems(send, [['/api/cars', cars], ...oils.map((oil) => ['/api/cars/k%2F0-0/oils', oil] as const)]);
  const open = async (fault?: Partial<Fault>, ask = send): Promise<Trees> => {
    const get = through(ask, fault);
    const { subjects } = await openCatalogue({
      origin: ORIGIN,
      get: (url, init) => get(url.replace(ORIGIN, ''), init),
    });
    return subjects[0] as Trees;
  };
  return { send, open, close };
};
