/** Settings of earlier versions. A process that has one of them set does not start, and says what replaces it. */

const NO_API = 'is no setting any more: the service does not stand before another API (CHANGELOG.md)';

const NO_REPLICA =
  'is no setting any more: all is read where it is written, at DATABASE_URL; a larger server or pool (DATABASE_POOL) serves more reads';

const goneSettings: Readonly<Record<string, string>> = {
  UPSTREAM_MAPPING: NO_API,
  UPSTREAM_AUTHORIZATION: NO_API,
  UPSTREAM_AUTHORIZATION_FILE: NO_API,
  DATABASE_READ_URL: NO_REPLICA,
  DATABASE_READ_URL_FILE: NO_REPLICA,
  CLIENT_CONNECTIONS:
    'is no setting any more: a proxy limits the connections of an address; uploads and streams of one client have a share (CLIENT_SHARE, KEY_STREAMS)',
  RATE_LIMIT_STORE:
    'is no setting any more: each instance counts RATE_LIMIT for itself; a limit for all of them together is set in the proxy before them',
  WORKERS:
    'is no setting any more: a process serves on one core; several instances on one PostgreSQL serve on several (docs/deployment.md)',
};

/** @returns a fault for each setting in the environment that is gone */
export function findGoneSettings(set: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(goneSettings).flatMap(([name, instead]) =>
    set[name] === undefined ? [] : `${name}: ${instead}`,
  );
}
