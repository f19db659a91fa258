import manifest from '../../../package.json' with { type: 'json' };
import { publicAddress } from '../../store/postgres/connection/addresses.ts';
import type { StartSettings } from '../settings/config.ts';

/** Addresses of databases may contain passwords. */
const HIDDEN = ['DATABASE_URL', 'DATABASE_READ_URL'];

/** As a shell would be given it, on one line, and without what could be a password. */
const shown = (text: string): string => {
  const open = text.replace(/\/\/[^/@\s]*@/g, '//');
  return /^[\x21-\x7e]+$/.test(open) ? open : JSON.stringify(open);
};

/** @returns what runs, on which database, and with which settings that are not the defaults; no secret is in it */
export const startLine = ({ config, changed }: StartSettings): string => {
  const { DATABASE_URL, DATABASE_READ_URL } = config;
  const databases = [DATABASE_URL, ...(DATABASE_READ_URL === undefined ? [] : [DATABASE_READ_URL])];
  const named = databases.map((url) => publicAddress(url) || shown(url)).join(', reads from ');
  const settings = [...changed]
    .filter(([name]) => !HIDDEN.includes(name))
    .map(([name, text]) => `${name}=${shown(text)}`);
  const program = `${manifest.name} ${manifest.version}, Node.js ${process.versions.node}, database ${named}`;
  return settings.length === 0 ? program : `${program}; ${settings.join(' ')}`;
};
