/**
 * Phrases that make a sentence hard to read (docs/style.md says what to write instead), as sources of regular
 * expressions. Comments and the API document are checked for them.
 */
export const PHRASES = [
  'whoever',
  'whomever',
  'such a one',
  'such ones?',
  'is none',
  'are none',
  '(is|are|be) told',
  'tells of',
  'told of',
  '(gone|goes|go) for good',
  'from the next request on',
  'asked for by',
  'hears? of',
  'what (is|was|are|were|it|they|he|she|there|has|had|came|comes|goes)',
  'who (is|has|asks?|makes|holds|gets|calls)(?! the user)',
  'to who',
  'as long as there',
  'takes? [a-z ]+ back',
  'meanwhile',
  'where (there|it|one|they|nothing|none|that|an?|the|its)(?= )',
];

/** Longest sentence in words. Inline code counts as one word. */
export const MAX_WORDS = 35;

const REFUSED = new RegExp(`\\b(${PHRASES.join('|')})\\b`, 'i');

/** Blank lines, list items, table rows and headings end a sentence even without a full stop. */
const BLOCKS = /\n\s*(?=\n|[-*|#] |\||\d+\. )/;

/** Returns the sentences of a Markdown text, with inline code replaced by the word `code`. */
function sentencesOf(text) {
  return text
    .replace(/```[\s\S]*?```/g, '')
    .replace(/`[^`]*`/g, 'code')
    .split(BLOCKS)
    .flatMap((block) => block.split(/(?<=[.!?])\s+/))
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => /[a-z]{3}/i.test(sentence));
}

/** Returns one message for each refused phrase and each sentence that is too long; empty if the text is plain. */
export function languageFaults(text) {
  return sentencesOf(text).flatMap((sentence) => {
    const phrase = REFUSED.exec(sentence)?.[0];
    const words = sentence.split(' ').length;
    return [
      ...(phrase ? [`"${phrase}" is a refused phrase: ${sentence}`] : []),
      ...(words > MAX_WORDS ? [`a sentence has ${words} words, more than ${MAX_WORDS}: ${sentence}`] : []),
    ];
  });
}
