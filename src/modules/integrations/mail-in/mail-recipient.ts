import { canonicalDomain } from '../../../lib/mail/addresses.js';

/** Recipient of an email: a trigger of a workflow, by key. */
export interface MailRecipient {
  flowId: string;
  key: string;
}

/** Key of triggers without an explicit key. */
const DEFAULT_KEY = 'default';
/** Workflow ID, optionally followed by a plus sign and the trigger's key. Case-insensitive except for the key. */
const LOCAL_PART = /^([\dA-Fa-f]{24})(?:\+([\w-]{1,39}))?$/;

/**
 * Returns the trigger that an address refers to, or `undefined` if the address is not part of the canonical `domain`.
 */
export function recipientOf(text: string, domain: string): MailRecipient | undefined {
  const at = text.lastIndexOf('@');
  if (canonicalDomain(text.slice(at + 1)) !== domain) return undefined;
  const [, id, key = DEFAULT_KEY] = LOCAL_PART.exec(text.slice(0, at)) ?? [];
  return id === undefined ? undefined : { flowId: id.toLowerCase(), key };
}
