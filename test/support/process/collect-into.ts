/** @returns writes bytes of the log as texts into a list */
export const collectInto =
  (texts: string[]) =>
  (bytes: Buffer): number => {
    texts.push(bytes.toString());
    return bytes.length;
  };
