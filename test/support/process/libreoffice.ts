/** LibreOffice, which Debian has (`libreoffice-calc-nogui`). */
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';

export const hasLibreOffice = (() => {
  try {
    execFileSync('soffice', ['--version'], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
})();

/** Opens a file and saves it in the folder `out`. @param target extension and filter. @returns its path */
export const convert = (folder: string, file: string, target: string, ...more: readonly string[]): string => {
  const [home, out] = [`-env:UserInstallation=file://${folder}/profile`, join(folder, 'out')];
  execFileSync('soffice', [home, '--headless', ...more, '--convert-to', target, '--outdir', out, file], {
    stdio: 'pipe',
  });
  return join(out, `${basename(file).replace(/\.\w+$/, '')}.${target.replace(/:.*/, '')}`);
};
