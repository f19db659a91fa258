/** The manifests of Kubernetes against its schemas, by packages that are installed for this alone: 33 MB. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/process/folder.ts';
import { project } from '../support/process/service.ts';

const PACKAGES = ['kubernetes-models@4.5.1', 'yaml@2.9.1'];

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

test('every manifest is what Kubernetes takes', () => {
  const folder = temporaryFolder();
  execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES]);
  const load = createRequire(join(folder, 'package.json'));
  const { parseAllDocuments } = load('yaml');
  const files = globSync('deploy/kubernetes/*/*.yaml', { cwd: project }).filter(
    (file) => !file.includes('kustomization'),
  );
  const manifests: readonly Manifest[] = files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(project, file), 'utf8')).map((each: { toJS: () => Manifest }) => each.toJS()),
  );
  for (const manifest of manifests) {
    const { [manifest.kind]: Model } = load(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`);
    expect(() => new Model(manifest).validate()).not.toThrow();
  }
  expect(manifests.length).toBeGreaterThan(14);
});
