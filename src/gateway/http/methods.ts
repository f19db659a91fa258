/** Every method that some resource supports. HEAD comes with GET, OPTIONS always. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** Methods whose body is read. */
const WITH_BODY: readonly string[] = ['POST', 'PUT', 'PATCH'] satisfies readonly Method[];

export const readsBody = (method: string): boolean => WITH_BODY.includes(method);

/** Methods that only read (RFC 9110 §9.2.1). */
const SAFE: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE'];

export const isSafe = (method: string): boolean => SAFE.includes(method);

/** The header in which a preflight names the method. */
export const REQUESTED_METHOD = 'access-control-request-method';

/** @returns the value of `Allow` for these methods, in their order, and OPTIONS */
export const allowOf = (methods: readonly string[]): string => {
  const all = methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : [method]));
  return [...new Set([...all, 'OPTIONS'])].join(', ');
};
