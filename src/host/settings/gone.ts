/** What versions before this one had. Whoever still uses it reads what replaces it: it is never ignored. */

const NO_API = 'is no setting any more: the service does not stand before another API (CHANGELOG.md)';

/** Settings, by their names. A process that has one of them set does not start. */
const goneSettings: Readonly<Record<string, string>> = {
  UPSTREAM_MAPPING: NO_API,
  UPSTREAM_AUTHORIZATION: NO_API,
  UPSTREAM_AUTHORIZATION_FILE: NO_API,
};

/** @returns a fault for each setting in the environment that is gone */
export function findGoneSettings(set: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(goneSettings).flatMap(([name, instead]) =>
    set[name] === undefined ? [] : `${name}: ${instead}`,
  );
}
