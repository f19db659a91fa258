/** The greatest body of a request, in bytes, where nobody sets `BODY_LIMIT`. */
export const DEFAULT_BODY_LIMIT = 1_048_576;

/** The same of a file that is imported, and `IMPORT_LIMIT`. */
export const DEFAULT_IMPORT_LIMIT = 268_435_456;

/** The greatest part of a list, in percent, that an import deletes without being told that it may, where nobody sets `DELETION_SHARE`. */
export const DEFAULT_DELETION_SHARE = 20;
