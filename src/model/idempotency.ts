/**
 * What makes a request safe to send again (`Idempotency-Key`): of those with one key, only the first is carried out, and the
 * others get its result. Times are milliseconds since 1970.
 */
export interface Idempotency {
  /** A hash of the client and of the key that it has chosen. */
  readonly key: string;
  /** A hash of what is requested. */
  readonly payload: string;
  readonly received: number;
  /** When the key is forgotten. */
  readonly expires: number;
}
