import { randomBytes } from 'node:crypto';
import { SecretBox } from './secrets.js';

const PLAIN = 'JBSWY3DPEHPK3PXP – ключ 🔑';
const CONTEXT = 'users:two_factor_key:65f0c1e2a4b5c6d7e8f90123';

describe('SecretBox', () => {
  const key = randomBytes(32);
  const box = new SecretBox(key);

  it.each(['', 'x', PLAIN, 'long '.repeat(20_000)])('decrypts its own ciphertext (%#)', (plain) => {
    const sealed = box.seal(plain, CONTEXT);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
    expect(box.open(sealed, CONTEXT)).toBe(plain);
  });

  it('decrypts the ciphertext of another box with the same key', () => {
    expect(new SecretBox(Buffer.from(key)).open(box.seal(PLAIN, CONTEXT), CONTEXT)).toBe(PLAIN);
  });

  it('reveals neither the text nor whether two texts are equal', () => {
    const sealed = box.seal(PLAIN, CONTEXT);
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').includes(PLAIN)).toBe(false);
    expect(sealed).not.toBe(box.seal(PLAIN, CONTEXT));
  });

  it('rejects a ciphertext with any byte changed', () => {
    const sealed = box.seal('seed', CONTEXT);
    const start = sealed.lastIndexOf('.') + 1;
    const bytes = Buffer.from(sealed.slice(start), 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      const text = sealed.slice(0, start) + changed.toString('base64url');
      expect(() => box.open(text, CONTEXT)).toThrow(
        'The secret was changed or encrypted for another context',
      );
    }
  });

  it('rejects a truncated ciphertext', () => {
    const sealed = box.seal('', CONTEXT);
    const start = sealed.lastIndexOf('.') + 1;
    for (let length = start; length < sealed.length; length++) {
      expect(() => box.open(sealed.slice(0, length), CONTEXT)).toThrow();
    }
  });

  it('rejects a ciphertext of another row or column', () => {
    const sealed = box.seal(PLAIN, CONTEXT);
    expect(() => box.open(sealed, CONTEXT.replace('0123', '0124'))).toThrow('encrypted for another context');
    expect(() => box.open(sealed, '')).toThrow('encrypted for another context');
  });

  it('rejects a ciphertext of another key, even with a forged key ID', () => {
    const sealed = new SecretBox(randomBytes(32)).seal(PLAIN, CONTEXT);
    expect(() => box.open(sealed, CONTEXT)).toThrow('The secret was encrypted with an unknown key');
    const ownPrefix = box.seal('', CONTEXT).slice(0, 12);
    expect(() => box.open(ownPrefix + sealed.slice(12), CONTEXT)).toThrow('encrypted for another context');
  });

  it.each(['', 'plain text', 'v2.00000000.AAAA'])('rejects %j, which is not a ciphertext', (text) => {
    expect(() => box.open(text, CONTEXT)).toThrow('The secret was encrypted with an unknown key');
  });

  it.each([0, 16, 31, 33])('rejects a key of %i bytes', (length) => {
    expect(() => new SecretBox(Buffer.alloc(length))).toThrow('A key for secrets has 32 bytes');
  });
});
