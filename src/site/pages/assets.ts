import { readFile } from 'node:fs/promises';

/** @returns the content of a file that pages load; Swagger UI's own files are in its package */
export const readAsset = (name: string): Promise<Buffer<ArrayBuffer>> =>
  readFile(
    new URL(
      name.startsWith('swagger-ui') ? import.meta.resolve(`swagger-ui-dist/${name}`) : `browser/${name}`,
      import.meta.url,
    ),
  );
