import { equalSecrets, randomToken, sha256 } from './hashes.js';

describe('hashes', () => {
  it('digests text to hexadecimal', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('creates unique URL-safe tokens', () => {
    const tokens = new Set(Array.from({ length: 100 }, () => randomToken()));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
    expect(randomToken(9)).toHaveLength(12);
  });

  it.each([
    ['secret', 'secret', true],
    ['', '', true],
    ['secret', 'secreT', false],
    ['secret', 'secret ', false],
    ['', 'secret', false],
  ])('compares %j and %j', (a, b, equal) => {
    expect(equalSecrets(a, b)).toBe(equal);
  });
});
