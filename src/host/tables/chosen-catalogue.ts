import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Catalogue } from '../../gateway/model/catalogue.ts';
import { FaultsError } from '../../util/faults-error.ts';

/**
 * @param own the project's catalogue
 * @param folder of another one, whose `catalogue.ts` exports it as `catalogue`
 * @throws FaultsError where it does not
 */
export const chosenCatalogue = async (own: Catalogue, folder: string | undefined): Promise<Catalogue> => {
  if (folder === undefined) return own;
  const file = resolve(folder, 'catalogue.ts');
  const { catalogue } = await import(pathToFileURL(file).href).catch((error: Error) => {
    throw new FaultsError([`CATALOGUE=${folder}: ${error.message}`]);
  });
  if (!Array.isArray(catalogue)) throw new FaultsError([`CATALOGUE=${folder}: ${file} exports no "catalogue"`]);
  return catalogue;
};
