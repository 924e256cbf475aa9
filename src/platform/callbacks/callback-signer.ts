import { createHmac, hkdfSync } from 'node:crypto';

const SECRET_BYTES = 32;

/** Signed content: the request as its receiver sees it. */
export interface SignedCallback {
  /** Identical for every attempt to deliver the callback. */
  id: string;
  /** Seconds since the epoch. */
  time: number;
  body: string;
}

/**
 * Signs callbacks according to Standard Webhooks (https://www.standardwebhooks.com), whose libraries receivers can use
 * for verification. Each application and each instance has its own secret, derived from the installation's key.
 */
export class CallbackSigner {
  constructor(private readonly key: Buffer) {}

  /** Returns the secret in the form that receivers get. */
  secretOf(id: string): string {
    return `whsec_${this.bytesOf(id).toString('base64')}`;
  }

  /** Returns the headers of a callback. */
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
