import { Linter } from 'eslint';
import { plainComments } from '../../eslint/plain-comments.js';
import { languageFaults, MAX_WORDS } from '../../eslint/plain-language.js';

const long = (words: number): string => `Runs${' on'.repeat(words - 1)}.`;

describe('languageFaults', () => {
  it.each([
    ['plain sentences', 'Deletes the device. Returns 404 if it does not exist.'],
    ['a sentence of the maximum length', long(MAX_WORDS)],
    ['phrases in code', 'Returns `what is` stored, and `whoever`.'],
    ['words that only begin like a phrase', 'Shows where items are stored.'],
    ['lists, of which each item is a sentence', `Returns:\n- ${long(20)}\n- ${long(20)}`],
  ])('accepts %s', (_title, text) => {
    expect(languageFaults(text)).toEqual([]);
  });

  it.each([
    ['Meanwhile it waits.', '"Meanwhile" is a refused phrase: Meanwhile it waits.'],
    ['Good. It is gone for good.', '"gone for good" is a refused phrase: It is gone for good.'],
    ['Removes\nwhat is old.', '"what is" is a refused phrase: Removes what is old.'],
    ['Stops where it is not found.', '"where it" is a refused phrase: Stops where it is not found.'],
    [long(36), `a sentence has 36 words, more than 35: ${long(36)}`],
  ])('refuses %j', (text, fault) => {
    expect(languageFaults(text)).toEqual([fault]);
  });
});

describe('the ESLint rule for comments', () => {
  const lint = (code: string): number[] =>
    new Linter()
      .verify(code, [
        { plugins: { house: { rules: { plain: plainComments } } }, rules: { 'house/plain': 'error' } },
      ])
      .map(({ line }) => line);

  it.each<[string, string, number[]]>([
    ['a phrase in a line comment', 'a();\n// Serves whoever asks.\nb();', [2]],
    ['a phrase in a docstring', '/**\n * Serves whoever\n * asks.\n */\na();', [1]],
    ['a sentence that goes on over several line comments', '// It keeps what\n// is there.\na();', [1]],
    ['each of two comments', 'a(); // meanwhile\nb(); // Whoever asks.', [1, 2]],
  ])('reports %s', (_title, code, lines) => {
    expect(lint(code)).toEqual(lines);
  });

  it.each([
    ['plain comments', '/** Deletes the device. */\na(); // Returns 404 if it does not exist.'],
    ['strings', "a('whoever');"],
    ['directives', '// @ts-expect-error what is wrong is the point\na();'],
    ['comments that are apart', '// It keeps what\na();\n// is there.\nb();'],
  ])('accepts %s', (_title, code) => {
    expect(lint(code)).toEqual([]);
  });
});
