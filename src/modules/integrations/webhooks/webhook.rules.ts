import { nanoid } from 'nanoid';
import type { SecretBox } from '../../../lib/crypto/secrets.js';
import { SealedColumn } from '../../../platform/sealed/sealed-column.js';
import type { WebhookPost } from './webhook.resource.js';

const DEFAULTS = {
  enabled: true,
  isWebsocket: false,
  waitForReply: false,
  responseCode: 200,
  verificationType: 'none',
  annotateMultipart: false,
} as const;

/** Verification code of a webhook. */
export const CODE_SEALED = new SealedColumn('webhooks:verification_code_sealed');

/** Password of a webhook. */
export const PASSWORD_SEALED = new SealedColumn('webhooks:basic_auth_sealed');

/** Generates a webhook token. Anyone who knows it can send requests. */
export const newToken = (): string => nanoid();

/** Returns the columns of a new webhook. */
export const newWebhook = (id: string, post: WebhookPost, secrets: SecretBox) => ({
  ...DEFAULTS,
  ...columnsOf(id, post, secrets),
  id,
  token: newToken(),
});

/** Converts a body to columns. Empty strings become `null`; the code and the password are encrypted. */
export function columnsOf(id: string, body: Partial<WebhookPost>, secrets: SecretBox) {
  const { verificationCode, basicAuthUsername, basicAuthPassword, ...rest } = body;
  const sealed = basicAuthPassword && PASSWORD_SEALED.seal(id, basicAuthPassword, secrets);
  return {
    ...rest,
    verificationCodeSealed: noneIfEmpty(verificationCode && CODE_SEALED.seal(id, verificationCode, secrets)),
    // Clears the plain-text code, which would otherwise still apply after the encrypted code is removed.
    ...(verificationCode === undefined ? {} : { verificationCode: null }),
    basicAuthUsername: noneIfEmpty(basicAuthUsername),
    basicAuthSealed: noneIfEmpty(sealed),
  };
}

const noneIfEmpty = (text: string | undefined): string | null | undefined => (text === '' ? null : text);
