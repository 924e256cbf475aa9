/** Phrases that comments and the document must not contain, as sources of regular expressions. */
export const PHRASES: readonly string[];
/** Longest sentence in words. */
export const MAX_WORDS: number;
/** Returns one message for each refused phrase and each sentence that is too long. */
export function languageFaults(text: string): string[];
