import { openApp, type TestOptions } from './app.ts';

/** A part of an OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
export type Document = any;

/** @returns the document of each of the service's languages, by tag, as it is served */
export const documentsOf = async (options: TestOptions = {}): Promise<ReadonlyMap<string, Document>> => {
  const { send, close } = await openApp(options);
  const { json } = await send('GET', '/api/openapi.json');
  const { language } = json.components.parameters;
  const found = await Promise.all(
    language.schema.enum.map(async (tag: string) => [tag, (await send('GET', `/api/openapi.${tag}.json`)).json]),
  );
  await close();
  return new Map(found);
};
