#!/usr/bin/env node
/** The program as people install it. This file runs on Node.js 18, too, and imports nothing else before it has looked at the version. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [needed, own] = [manifest.engines.node.replace('>=', ''), process.versions.node];

if (own.localeCompare(needed, 'en', { numeric: true }) < 0) {
  process.stderr.write(`${manifest.name} needs Node.js ${needed} or later; this is ${own}\n`);
  process.exitCode = 2;
} else {
  const { runProgram } = await import('./tools/program/program.ts');
  await runProgram(process.argv.slice(2), manifest, {
    serve: () => import('./main.ts'),
    import: () => import('./tools/import-export/import-main.ts'),
    export: () => import('./tools/import-export/export-main.ts'),
    backup: () => import('./tools/backup/backup-main.ts'),
    restore: () => import('./tools/backup/restore-main.ts'),
    key: () => import('./tools/api-keys/main.ts'),
    hook: () => import('./tools/hooks/main.ts'),
    verify: () => import('./tools/verify/main.ts'),
    words: () => import('./tools/words/main.ts'),
    init: async () => {
      const { init } = await import('./tools/init/init.ts');
      await init(process.argv.slice(2), fileURLToPath(new URL('..', import.meta.url)), manifest);
    },
  });
}
