/** LibreOffice, which Debian has (`libreoffice-calc-nogui`). */
import { execFileSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';

export const hasLibreOffice = (() => {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

/**
 * Opens files and saves them in the folder `out`: to start it takes seconds of CPU, whatever it converts.
 *
 * @param target extension and filter
 * @returns their paths
 */
export const convert = (
  out: string,
  files: readonly string[],
  target: string,
  ...more: readonly string[]
): readonly string[] => {
  const home = `-env:UserInstallation=file://${dirname(out)}/profile`;
  execFileSync('soffice', [home, '--headless', ...more, '--convert-to', target, '--outdir', out, ...files], {
    stdio: 'pipe',
  });
  return files.map((file) => join(out, `${basename(file).replace(/\.\w+$/, '')}.${target.replace(/:.*/, '')}`));
};
