/** A database cannot be used; the message names it and says why. Its content is left untouched. */
export class DatabaseError extends Error {}
