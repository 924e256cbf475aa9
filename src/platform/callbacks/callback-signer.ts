import { createHmac, hkdfSync } from 'node:crypto';

const SECRET_BYTES = 32;

/** What is signed: the request as its receiver has it. */
export interface SignedCallback {
  /** The same each time that it is sent. */
  id: string;
  /** In seconds since 1970. */
  time: number;
  body: string;
}

/**
 * Signs callbacks as Standard Webhooks has it (https://www.standardwebhooks.com), whose libraries receivers can check them
 * with. Each application, and each instance, has a secret of its own, which follows from the key of the installation.
 */
export class CallbackSigner {
  constructor(private readonly key: Buffer) {}

  /** The secret as receivers are given it. */
  secretOf(id: string): string {
    return `whsec_${this.bytesOf(id).toString('base64')}`;
  }

  /** The headers of a callback. */
  headersOf(id: string, { id: callbackId, time, body }: SignedCallback): Record<string, string> {
    const signed = createHmac('sha256', this.bytesOf(id)).update(`${callbackId}.${time}.${body}`);
    return {
      'webhook-id': callbackId,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${signed.digest('base64')}`,
    };
  }

  private bytesOf(id: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.key, '', `callbacks of ${id}`, SECRET_BYTES));
  }
}
