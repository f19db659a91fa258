import { openApp, type TestOptions } from '../app/app.ts';
import { type Documents, documentsOf } from './documents.ts';

/** @returns the documents of a service with these options */
export const servedDocuments = async (options?: TestOptions): Promise<Documents> => {
  const { app, close } = await openApp(options);
  const documents = await documentsOf(app);
  await close();
  return documents;
};
