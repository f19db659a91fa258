/** Why a database cannot be used: its location and the reason. What is there is left untouched. */
export class DatabaseError extends Error {}
