/** The words and sentences of the package, by language, for a gateway that is mounted without a folder of tables. */
import wordsEn from '../../../locales/en.json' with { type: 'json' };
import wordsEs from '../../../locales/es.json' with { type: 'json' };
import en from '../../../locales/messages/en.json' with { type: 'json' };
import es from '../../../locales/messages/es.json' with { type: 'json' };

export const words: Readonly<Record<string, object>> = { en: wordsEn, es: wordsEs };
export const sentences: Readonly<Record<string, object>> = { en, es };
