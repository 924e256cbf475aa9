import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'v1';
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets that must be readable again (private keys, credentials, two-factor seeds) with AES-256-GCM.
 *
 * The ciphertext has the form `v1.<key id>.<base64url of nonce, tag and ciphertext>`. It can only be decrypted in its
 * own context, such as `users:two_factor_key:<row id>`, so a value moved to another row or column is rejected. The key
 * ID identifies the key in case of a key rotation.
 */
export class SecretBox {
  private readonly prefix: string;

  /** Throws unless `key` has 32 bytes. */
  constructor(private readonly key: Buffer) {
    if (key.length !== KEY_BYTES)
      throw new Error(`A key for secrets has ${KEY_BYTES} bytes, not ${key.length}`);
    const keyId = createHash('sha256').update(key).digest('hex').slice(0, 8);
    this.prefix = `${VERSION}.${keyId}.`;
  }

  /** Returns the encrypted form of `plain`, different on every call. */
  seal(plain: string, context: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(this.bind(context));
    const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return this.prefix + Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
  }

  /**
   * Returns the plain text. Throws if the ciphertext was changed, or was encrypted with another key or for another
   * context.
   */
  open(sealed: string, context: string): string {
    if (!sealed.startsWith(this.prefix)) throw new Error('The secret was encrypted with an unknown key');
    const bytes = Buffer.from(sealed.slice(this.prefix.length), 'base64url');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    const ciphertext = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    try {
      // With an explicit length, a truncated tag is rejected, which would be easier to forge.
      const decipher = createDecipheriv(CIPHER, this.key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(this.bind(context)).setAuthTag(tag);
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new Error('The secret was changed or encrypted for another context', { cause });
    }
  }

  /** Returns the data that the cipher authenticates in addition to the text. */
  private bind(context: string): Buffer {
    return Buffer.from(this.prefix + context, 'utf8');
  }
}
