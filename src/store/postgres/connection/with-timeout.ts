/** @returns the work's result, or `otherwise` after `time` milliseconds */
export const withTimeout = <T>(time: number, work: Promise<T>, otherwise: T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), time);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};
