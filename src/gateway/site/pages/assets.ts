import { readFile } from 'node:fs/promises';

const folders = {
  own: new URL('browser/', import.meta.url),
  ofSwagger: import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
};

/** @returns the content of a file that pages load; Swagger UI's own files are in its package */
export const readAsset = (name: string): Promise<Buffer<ArrayBuffer>> =>
  readFile(new URL(name, name.startsWith('swagger-ui') ? folders.ofSwagger : folders.own));
