import manifest from '../../../package.json' with { type: 'json' };
import { publicAddress } from '../../store/postgres/connection/addresses.ts';
import type { StartSettings } from '../settings/config.ts';

/** As a shell would be given it, on one line, and without what could be a password. */
const shown = (text: string): string => {
  const open = text.replace(/\/\/[^/@\s]*@/g, '//');
  return /^[\x21-\x7e]+$/.test(open) ? open : JSON.stringify(open);
};

/** @returns what runs, on which database, and with which settings that are not the defaults; no secret is in it */
export const startLine = ({ config, changed }: StartSettings): string => {
  const { DATABASE_URL } = config;
  const named = publicAddress(DATABASE_URL) || shown(DATABASE_URL);
  const settings = [...changed]
    .filter(([name]) => name !== 'DATABASE_URL')
    .map(([name, text]) => `${name}=${shown(text)}`);
  const program = `${manifest.name} ${manifest.version}, Node.js ${process.versions.node}, database ${named}`;
  return settings.length === 0 ? program : `${program}; ${settings.join(' ')}`;
};
