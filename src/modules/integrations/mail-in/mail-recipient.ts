import { canonicalDomain } from '../../../lib/mail/addresses.js';

/** Whom a mail is for: a trigger of a workflow, by its key. */
export interface MailRecipient {
  flowId: string;
  key: string;
}

/** The key of triggers that were given none. */
const USUAL_KEY = 'default';
/** An id; after a plus, a key, where the trigger has one of its own. Case is no matter but in the key. */
const LOCAL_PART = /^([\dA-Fa-f]{24})(?:\+([\w-]{1,39}))?$/;

/** The trigger that an address leads to; nothing where it is none of the domain, which is a canonical one. */
export function recipientOf(text: string, domain: string): MailRecipient | undefined {
  const at = text.lastIndexOf('@');
  if (canonicalDomain(text.slice(at + 1)) !== domain) return undefined;
  const [, id, key = USUAL_KEY] = LOCAL_PART.exec(text.slice(0, at)) ?? [];
  return id === undefined ? undefined : { flowId: id.toLowerCase(), key };
}
