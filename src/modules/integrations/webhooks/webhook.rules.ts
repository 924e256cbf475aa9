import { nanoid } from 'nanoid';
import type { SecretBox } from '../../../lib/crypto/secrets.js';
import type { WebhookPost } from './webhook.resource.js';

const DEFAULTS = {
  enabled: true,
  isWebsocket: false,
  waitForReply: false,
  responseCode: 200,
  verificationType: 'none',
  annotateMultipart: false,
} as const;

/** The place that the code of a webhook is sealed for. */
export const codeContext = (id: string): string => `webhooks:verification_code_sealed:${id}`;

/** The place that the password of a webhook is sealed for. */
export const passwordContext = (id: string): string => `webhooks:basic_auth_sealed:${id}`;

/** A token of a webhook: whoever has it can send. */
export const newToken = (): string => nanoid();

/** The columns of a new webhook. */
export const newWebhook = (id: string, post: WebhookPost, secrets: SecretBox) => ({
  ...DEFAULTS,
  ...columnsOf(id, post, secrets),
  id,
  token: newToken(),
});

/** The columns for a body: what is empty is none, and the code and the password are sealed. */
export function columnsOf(id: string, body: Partial<WebhookPost>, secrets: SecretBox) {
  const { verificationCode, basicAuthUsername, basicAuthPassword, ...rest } = body;
  const sealed = basicAuthPassword && secrets.seal(basicAuthPassword, passwordContext(id));
  return {
    ...rest,
    verificationCodeSealed: noneIfEmpty(verificationCode && secrets.seal(verificationCode, codeContext(id))),
    // One from before it was sealed would stand in for a code that is taken away.
    ...(verificationCode === undefined ? {} : { verificationCode: null }),
    basicAuthUsername: noneIfEmpty(basicAuthUsername),
    basicAuthSealed: noneIfEmpty(sealed),
  };
}

const noneIfEmpty = (text: string | undefined): string | null | undefined => (text === '' ? null : text);
