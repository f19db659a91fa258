/** Finds sentences of another language on pages, by a browser such as Playwright's. */
import { guessLanguage } from './sentences.ts';

/** What is needed of a page of Playwright. */
export interface Page {
  goto(url: string): Promise<unknown>;
  innerText(selector: string): Promise<string>;
}

/** A page in a language. */
export interface PageAddress {
  readonly url: string;
  /** Tag of its language. */
  readonly language: string;
}

async function readSentences(page: Page, url: string): Promise<readonly string[]> {
  await page.goto(url);
  const text = await page.innerText('body');
  const sentences = text.split(/\n+|(?<=[.!?…])\s+/u).map((sentence) => sentence.trim());
  return [...new Set(sentences)].filter((sentence) => (sentence.match(/\p{L}+/gu) ?? []).length >= 3);
}

/**
 * @param page of Playwright, or anything with `goto` and `innerText`
 * @param one a page @param other the same page in another language
 * @returns sentences of three words and more of the other page that are in the first one's language: those that both
 *   pages have, unless they are in no language or in the other's, and those whose common words are of the first one's
 */
export async function findForeignSentences(
  page: Page,
  one: PageAddress,
  other: PageAddress,
): Promise<readonly string[]> {
  const first = new Set(await readSentences(page, one.url));
  const sentences = await readSentences(page, other.url);
  return sentences.filter((sentence) => {
    const language = guessLanguage(sentence);
    if (language === undefined) return false;
    return language === one.language || (first.has(sentence) && language !== other.language);
  });
}
