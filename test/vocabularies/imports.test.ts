/** The package runs wherever there are Request and Response. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const SOURCE = new URL('../../packages/vocabularies/src/', import.meta.url);

test('the package imports nothing but Hono, and this only where an app or a validator is', () => {
  // The commands, which run on Node alone, stand in a folder of their own.
  const files = readdirSync(SOURCE).filter((name) => name.endsWith('.ts'));
  const imports = files.flatMap((file) => {
    const text = readFileSync(new URL(file, SOURCE), 'utf8');
    return [...text.matchAll(/\bfrom '([^']+)'|\bimport\('([^']+)'\)/g)].map(([, name, other]) => [
      file,
      name ?? other,
    ]);
  });
  const outside = imports.filter(([, name]) => !/^\.\/[\w/-]+\.(?:ts|json)$/.test(name ?? ''));
  expect(files.length).toBeGreaterThan(5);
  expect(new Set(outside.map(([file]) => file))).toEqual(new Set(['hono.ts', 'validation.ts']));
  expect(new Set(outside.map(([, name]) => name))).toEqual(new Set(['hono', 'hono/route']));
  const globals = files.filter((file) =>
    /\b(process|Buffer|__dirname|require)\b[.(]/.test(readFileSync(new URL(file, SOURCE), 'utf8')),
  );
  expect(globals).toEqual([]);
});
