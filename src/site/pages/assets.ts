import { readFile } from 'node:fs/promises';

const own = (name: string): URL => new URL(`browser/${name}`, import.meta.url);

/** The files that pages load; no other file can be requested. */
const files = {
  'icon.svg': own('icon.svg'),
  'style.css': own('style.css'),
  'browse.js': own('browse.js'),
  'elements.js': own('elements.js'),
  'copy.js': own('copy.js'),
  'docs.css': own('docs.css'),
  'docs.js': own('docs.js'),
  'display.js': own('display.js'),
  'swagger-ui.css': new URL(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  'swagger-ui-bundle.js': new URL(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
} as const;

/** @returns the file's content */
export const readAsset = (name: keyof typeof files): Promise<Buffer<ArrayBuffer>> => readFile(files[name]);
