/**
 * Every sentence of the responses, with its placeholders. This list is closed: `phrases` in a locale table has exactly these.
 * `{the}`, `{of}` and `{within}` are forms of a collection's noun ("the car", "of the car", "for this car"), `{word}` is a word
 * of the tree, `{known}` a list of words, `{limit}` a size with its unit; `{count}` selects the plural form.
 */
export const phrases = {
  'request-unreadable': [],
  'host-invalid': [],
  'target-not-ascii': [],
  'origin-foreign': ['origin'],
  'host-foreign': ['host'],
  'key-missing': [],
  'key-invalid': [],
  'scope-missing': ['scope'],
  'body-empty': [],
  'json-syntax': [],
  'json-syntax-at': ['line', 'column'],
  'json-encoding': [],
  'json-repeated': ['word'],
  'file-empty': [],
  'file-costly': [],
  'file-memory': ['limit'],
  'file-encoding': ['row', 'charset'],
  'file-quotes': ['row'],
  'row-too-long': ['row', 'limit'],
  'row-too-wide': ['row', 'limit'],
  'row-not-object': ['of'],
  'row-excess': ['value'],
  'column-repeated': ['word'],
  'cell-date': ['word'],
  'cell-error': ['word', 'value'],
  'cell-formula': ['word'],
  'cell-digits': ['word', 'value'],
  'body-not-array': ['of'],
  'workbook-unreadable': [],
  'workbook-too-large': ['limit'],
  'workbook-excess': ['name', 'limit'],
  'path-malformed': [],
  'path-unknown': ['path'],
  'path-suggested': ['path', 'suggestion'],
  'path-outside': ['path', 'index'],
  'problem-unknown': ['code'],
  'language-unknown': ['value', 'known'],
  'parameter-unknown': ['word', 'known'],
  'parameter-none': ['word'],
  'parameter-suggested': ['word', 'suggestion'],
  'parameter-offset': ['word', 'page', 'size'],
  'parameter-of-lists': ['word'],
  'filter-excluding': ['word', 'field'],
  'filter-partial': ['word', 'field', 'search'],
  'filter-missing': ['word', 'field'],
  'filter-ranges': ['word', 'field', 'known'],
  'value-suggested': ['word', 'value', 'suggestion'],
  'parameter-repeated': ['word'],
  'parameter-empty': ['word'],
  'parameter-encoding': ['word'],
  'parameter-integer': ['word'],
  'parameter-positive': ['word'],
  'parameter-flag': ['word'],
  'sort-unknown': ['word', 'value', 'of', 'known'],
  'sort-suggested': ['word', 'value', 'of', 'suggestion'],
  'order-unknown': ['word', 'value', 'asc', 'desc'],
  'order-suggested': ['word', 'value', 'asc', 'desc', 'suggestion'],
  'range-empty': ['word', 'to'],
  'include-unknown': ['word', 'value', 'of', 'known'],
  'include-suggested': ['word', 'value', 'of', 'suggestion'],
  'include-flat': ['word', 'type'],
  'order-excess': ['word', 'sort'],
  'list-empty': ['word'],
  'list-repeated': ['word', 'value'],
  'format-unknown': ['word', 'value', 'known'],
  'format-suggested': ['word', 'value', 'known', 'suggestion'],
  'search-empty': ['word'],
  'search-words': ['word', 'limit'],
  'after-combined': ['word', 'other'],
  'after-unknown': ['word'],
  'group-several': ['word'],
  'group-ordered': ['word', 'group'],
  'group-whole': ['word', 'group'],
  'query-errors': ['count'],
  'body-not-object': ['of'],
  'field-unknown': ['word', 'of', 'known'],
  'field-suggested': ['word', 'of', 'suggestion'],
  'field-nested': ['word', 'of', 'path'],
  'field-missing': ['word'],
  'field-null': ['word'],
  'key-null': ['word'],
  'value-text': ['word', 'min', 'max'],
  'value-key': ['word', 'min', 'max'],
  'value-integer': ['word', 'min', 'max'],
  'value-flag': ['word'],
  'cell-flag': ['word', 'known'],
  'value-quoted': ['suggestion'],
  'value-unquoted': ['suggestion'],
  'value-blank': ['word'],
  'value-characters': ['word'],
  'body-errors': ['count', 'of'],
  'item-missing': ['the', 'key'],
  'item-exists': ['the', 'key'],
  'nested-missing': ['the', 'key', 'within'],
  'nested-exists': ['the', 'key', 'within'],
  'precondition-failed': [],
  'precondition-excluded': [],
  'entity-tags-invalid': ['header'],
  'no-dates': [],
  'idempotency-key-invalid': ['header', 'max'],
  'idempotency-mismatch': ['header'],
  'preferences-malformed': ['header'],
  'preference-unknown': ['name', 'value', 'known'],
  'preference-suggested': ['name', 'value', 'suggestion'],
  'preference-name-unknown': ['sent', 'known'],
  'preference-name-suggested': ['sent', 'suggestion'],
  'preference-bare': ['name', 'value'],
  'preference-repeated': ['name', 'value', 'other'],
  'check-single': ['header'],
  'row-repeated': ['word', 'key', 'row'],
  'keys-absent': ['word', 'list', 'option'],
  'keys-needed': ['word'],
  'keys-damaged': ['word', 'odd', 'total'],
  'values-unusual': ['word', 'label', 'odd', 'total', 'most'],
  'rows-rejected': ['count', 'limit'],
  'rows-left-out': ['count', 'limit'],
  'rows-checked': ['count', 'limit'],
  'deletions-refused': ['deleted', 'total', 'share', 'preference'],
  'expectation-failed': [],
  'method-unknown': [],
  'coding-unknown': [],
  'version-unknown': [],
  'headers-too-large': ['limit'],
  'rate-limited': ['seconds'],
  'request-timeout': [],
  'key-mismatch': ['word', 'sent', 'key'],
  'method-not-allowed': ['method', 'allow'],
  'not-acceptable': ['type'],
  'list-too-long': ['rows', 'most'],
  'media-type': ['sent', 'type'],
  'media-types': ['sent', 'known'],
  charset: ['sent'],
  'content-encoding': ['sent'],
  'body-too-large': ['limit'],
  'uri-too-long': ['limit'],
  internal: [],
  'store-unavailable': [],
  'store-full': [],
  'store-read-only': [],
  'issuer-unavailable': [],
  'service-stopping': [],
  'streams-exhausted': [],
  'reads-exhausted': [],
  'imports-exhausted': [],
  'client-exhausted': [],
  'node-too-old': ['needed', 'found'],
} as const;

export type PhraseName = keyof typeof phrases;
type Placeholders = Readonly<Record<string, string | number>>;

/** A sentence whose language is not known yet. */
export interface Sentence {
  readonly phrase: PhraseName;
  readonly values: Placeholders;
}

/**
 * @param phrase name of the sentence
 * @param values one value for each of its placeholders
 */
export const sentence = <P extends PhraseName>(
  phrase: P,
  values: Readonly<Record<(typeof phrases)[P][number], string | number>>,
): Sentence => ({ phrase, values });

/**
 * @param kind what is unknown: the phrases are `<kind>-unknown` and `<kind>-suggested`
 * @param values for the placeholders of both phrases, beside the suggestion
 * @param suggestion the word that was probably intended
 */
export const unknownSentence = (
  kind: 'path' | 'parameter' | 'field' | 'sort' | 'order' | 'include' | 'format' | 'preference' | 'preference-name',
  values: Placeholders,
  suggestion: string | undefined,
): Sentence =>
  suggestion === undefined
    ? { phrase: `${kind}-unknown`, values }
    : { phrase: `${kind}-suggested`, values: { ...values, suggestion } };

/**
 * A sentence about one item. It mentions the parent of a nested item, because another parent may have an item with the same
 * key.
 *
 * @param within the noun of the parent, if there is one
 */
export const itemSentence = (
  kind: 'missing' | 'exists',
  values: { readonly the: string; readonly key: string },
  within: string | undefined,
): Sentence =>
  within === undefined
    ? { phrase: `item-${kind}`, values }
    : { phrase: `nested-${kind}`, values: { ...values, within } };
