import { newTotpKey, totpUri, verifyTotp } from './totp.js';

/**
 * Test vectors of RFC 6238, appendix B, for SHA-1: the last six of its eight digits. The key is "12345678901234567890".
 */
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
];

const at = (seconds: number) => new Date(seconds * 1000);

describe('newTotpKey', () => {
  it('returns 32 random bytes in base32', () => {
    expect(newTotpKey()).toMatch(/^[A-Z2-7]{52}$/);
    expect(newTotpKey()).not.toBe(newTotpKey());
  });
});

describe('totpUri', () => {
  it('contains everything that an authenticator app needs', () => {
    const uri = new URL(totpUri({ key: KEY, issuer: 'Field & Co', account: 'ada@corp.test' }));
    expect(uri.protocol).toBe('otpauth:');
    expect(decodeURIComponent(uri.pathname)).toContain('Field & Co:ada@corp.test');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: KEY,
      issuer: 'Field & Co',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

describe('verifyTotp', () => {
  it.each(VECTORS)('accepts the code of RFC 6238 at %d s', (seconds, code) => {
    expect(verifyTotp(KEY, code, at(seconds))).toBe(Math.floor(seconds / 30));
  });

  it('accepts codes one step before and after, and returns their step', () => {
    expect(verifyTotp(KEY, '287082', at(29))).toBe(1);
    expect(verifyTotp(KEY, '287082', at(89))).toBe(1);
  });

  it('rejects the code of a step further away', () => {
    expect(verifyTotp(KEY, '050471', at(1111111111 - 60))).toBeUndefined();
    expect(verifyTotp(KEY, '050471', at(1111111111 + 60))).toBeUndefined();
  });

  it.each(['287083', '', '28708', '2870820', '94287082', ' 287082', '28708２', 'abcdef'])(
    'rejects %j',
    (code) => {
      expect(verifyTotp(KEY, code, at(59))).toBeUndefined();
    },
  );
});
