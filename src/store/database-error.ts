/** A database cannot be used; the message names it and says why. Its content is left untouched. */
export class DatabaseError extends Error {}

/** @returns what some work does; where it finds that the database cannot be used, the message names the setting that chose it, too */
export const namingSetting = async <T>(setting: string, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DatabaseError ? new DatabaseError(`${setting}: ${error.message}`, { cause: error }) : error;
  }
};
