/** The greatest body of a request, in bytes, if nobody sets `BODY_LIMIT`. */
export const DEFAULT_BODY_LIMIT = 1_048_576;

/** The greatest file that is imported, in bytes, if nobody sets `IMPORT_LIMIT`. */
export const DEFAULT_IMPORT_LIMIT = 268_435_456;

/** The greatest part of a list, in percent, that an import deletes without being told that it may, if nobody sets `DELETION_SHARE`. */
export const DEFAULT_DELETION_SHARE = 20;
