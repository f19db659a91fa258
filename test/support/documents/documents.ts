/** What documents are asked of. */
export interface RequestableApp {
  readonly request: (path: string) => Response | Promise<Response>;
}

/** A part of an OpenAPI document. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
export type Document = any;

/** By the tag of their language. */
export type Documents = ReadonlyMap<string, Document>;

/** @returns the document of each of the service's languages, as it is served */
export const documentsOf = async (app: RequestableApp): Promise<Documents> => {
  const read = async (path: string): Promise<Document> => (await app.request(path)).json();
  const { language } = (await read('/api/openapi.json')).components.parameters;
  const found = await Promise.all(
    language.schema.enum.map(async (tag: string) => [tag, await read(`/api/openapi.${tag}.json`)]),
  );
  return new Map(found);
};

/** @returns what a reference stands for; anything else as it is */
export const resolved = (document: Document, part: Document): Document =>
  part.$ref === undefined
    ? part
    : part.$ref
        .slice(2)
        .split('/')
        .reduce((at: Document, name: string) => at[name], document);
