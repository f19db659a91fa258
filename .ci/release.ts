/** `npm run release`: the archive of each package as `npm pack` makes it, with what it brings (CycloneDX), the Python kit as a wheel, and checksums of all files, in `release/`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import catalogue from '../package.json' with { type: 'json' };
import repository from '../packages/repository/package.json' with { type: 'json' };
import { packWheel } from './wheel.ts';

const project = join(import.meta.dirname, '..');
const release = join(project, 'release');
const npm = (cwd: string, ...args: readonly string[]): string => execFileSync('npm', args, { cwd, encoding: 'utf8' });

/** @returns the bill of materials of an archive, from its own manifest: that of a workspace would have what the repository needs */
function listMaterials(archive: string): string {
  const parent = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    execFileSync('tar', ['-xzf', archive, '-C', parent, 'package/package.json']);
    const {
      devDependencies: _,
      workspaces: __,
      ...manifest
    } = JSON.parse(readFileSync(join(parent, 'package/package.json'), 'utf8'));
    // npm names the component by its folder.
    const folder = join(parent, manifest.name);
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    npm(folder, 'install', '--package-lock-only', '--ignore-scripts', '--loglevel=error');
    const listed = npm(folder, 'sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx');
    if (manifest.name !== catalogue.name) return listed;
    // What is copied into the archive is no dependency, so npm does not know it.
    const [name, version] = ['swagger-ui-dist', repository.dependencies['swagger-ui-dist']];
    const copied = { type: 'library', name, version, purl: `pkg:npm/${name}@${version}` };
    const bill = JSON.parse(listed);
    return JSON.stringify({ ...bill, components: [...bill.components, copied] }, null, 2);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

rmSync(release, { recursive: true, force: true });
mkdirSync(release);
for (const folder of ['.', 'packages/vocabularies', 'packages/parity']) {
  const archive = npm(join(project, folder), 'pack', '--silent', '--pack-destination', release).trim();
  writeFileSync(join(release, archive.replace('.tgz', '.cdx.json')), listMaterials(join(release, archive)));
}
await packWheel(join(project, 'packages/parity'), release);
const sums = readdirSync(release)
  .toSorted()
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(release, file)))
        .digest('hex')}  ${file}\n`,
  );
writeFileSync(join(release, 'SHA256SUMS'), sums.join(''));
console.log(sums.join(''));
