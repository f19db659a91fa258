import { isPublic, isSafe, type Method } from '../http/request.ts';
import { requiredScope } from '../model/access.ts';
import type { Context, Json } from './shared/context.ts';

/** @returns the security schemes for `components`; none where no key is needed */
export const securityComponents = ({ access, say }: Context): Json => {
  if (access === 'open') return {};
  const bearer = { type: 'http', scheme: 'bearer', description: say('security-bearer') };
  const apiKey = { type: 'apiKey', in: 'header', name: 'X-API-Key', description: say('security-key') };
  return { securitySchemes: { bearer, apiKey } };
};

/** @returns the `security` of an operation; the names beside a scheme are scopes */
export const securityOf = ({ access }: Context, method: Lowercase<Method>, path: string): Json => {
  const scope = requiredScope(access, !isSafe(method.toUpperCase()), isPublic(path));
  return scope === undefined ? {} : { security: [{ bearer: [scope] }, { apiKey: [scope] }] };
};
