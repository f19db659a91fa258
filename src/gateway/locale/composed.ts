/** UTF-16 units of the longest word that is composed: the time that it takes grows with the square of the marks on one letter. */
const LONGEST = 256;

/** @returns a word that was sent in NFC, as tables have theirs; one that is too long to be any word is returned as it is */
export const composed = (word: string): string => (word.length > LONGEST ? word : word.normalize());
