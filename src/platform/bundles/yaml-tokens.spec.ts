import { assertTokens } from './yaml-tokens.js';

const BOUNDS = { values: 10, aliases: 2, depth: 4 };
const count = (text: string) => () => assertTokens(text, 'a.yaml', BOUNDS);

describe('assertTokens', () => {
  it.each([
    ['a block map', 'a: 1\nb: 2\nc: [x, y]\n'],
    ['a text with indicators in it', 'a: "[[[[[[[[[["\nb: |\n  - - - - - - -\n  [[[[[[[\nc: a-b-c-d-e-f\n'],
    ['a comment', `a: 1 # ${'['.repeat(100)}\n${'# *a\n'.repeat(100)}`],
    ['lists next to each other', '- [a]\n- [b]\n- - - c\n'],
    ['as many aliases as allowed', '[&a x, *a, *a]'],
  ])('accepts %s', (_, text) => {
    expect(count(text)).not.toThrow();
  });

  it.each([
    ['many values', 'a,'.repeat(30), 'has too many values', '[', ']'],
    ['many lines', '- a\n'.repeat(30), 'has too many values', '', ''],
    ['many commas', ','.repeat(50), 'has too many values', '[', ']'],
    ['many aliases', '*a, *a, *a', 'has too many aliases', '[&a x, ', ']'],
    ['nested lists', '[[[[[', 'is nested too deeply', '', ''],
    ['nested maps', '{a: {a: {a: {a: {a: ', 'is nested too deeply', '', ''],
    ['nested lists in one line', '- - - - - a', 'is nested too deeply', '', ''],
    ['nested keys in one line', '? ? ? ? ? a', 'is nested too deeply', '', ''],
  ])('refuses %s', (_, text, message, before, after) => {
    expect(count(before + text + after)).toThrow(`a.yaml ${message}`);
  });
});
