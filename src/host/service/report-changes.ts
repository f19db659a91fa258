import type { OnChange } from '../../gateway/collections/change-events.ts';
import type { AddressOf } from '../../gateway/http/context.ts';
import type { KnownClients } from '../access/client.ts';
import type { Log } from '../log/log.ts';

/** @returns a function that logs each change with who made it; `undefined` where changes are not logged */
export const reportChanges = (
  { change: log }: Pick<Log, 'change'>,
  { idOf, nameOf }: Pick<KnownClients, 'idOf' | 'nameOf'>,
  addressOf: AddressOf,
): OnChange | undefined =>
  log &&
  ((change, { id: requestId, traceId }, incoming) =>
    log({
      ...change,
      requestId,
      traceId,
      clientId: incoming && idOf(incoming),
      client: incoming && nameOf(incoming),
      address: incoming && addressOf(incoming),
    }));
