/** The greatest body of a request, in bytes, where nobody sets `BODY_LIMIT`. */
export const DEFAULT_BODY_LIMIT = 1_048_576;
