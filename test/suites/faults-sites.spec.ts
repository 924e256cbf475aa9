import { verdict } from '../../faults/sites/verdict.js';

const answered = (key: string, text = key) => ({ key, status: 200, text });

describe('The verdict about requests to sites after faults', () => {
  it.each<[string, Parameters<typeof verdict>[0], string[], string[]]>([
    ['nothing if each reply reached its request', [answered('a'), answered('b')], ['a', 'b'], []],
    [
      'nothing if a request failed',
      [
        { key: 'a', status: 504, text: '' },
        { key: 'b', status: 0, text: '' },
      ],
      ['b'],
      [],
    ],
    [
      'a reply to another request',
      [answered('a', 'b'), answered('b')],
      ['a', 'b'],
      ['The request a was answered with "b"'],
    ],
    ['a reply without an effect', [answered('a')], [], ['The request a was answered without a row']],
    ['an effect that exists twice', [answered('a')], ['a', 'a'], ['2 rows of the request a']],
  ])('reports %s', (_what, visits, rows, sentences) => {
    const wrong: string[] = [];
    verdict(visits, rows, (sentence) => wrong.push(sentence));
    expect(wrong).toEqual(sentences);
  });
});
