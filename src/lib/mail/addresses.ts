import { ValidationError } from '../errors/errors.js';

// What names somebody from outside is compared in lower case, and lower-casing is not harmless: U+212A becomes `k`, and
// somebody else's address comes of one that never was theirs. So the rule, which knows ASCII alone, comes first.

export const ATOM = "[\\w!#$%&'*+/=?^`{|}~-]+";
export const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** The rule for e-mail addresses, wherever one comes from; it is the document's format `email`. */
export const ADDRESS = new RegExp(`^(?=.{3,1024}$)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+${LABEL}$`);
/** The rule for domains of e-mail addresses. */
export const DOMAIN = new RegExp(`^(?=.{3,45}$)(?:${LABEL}\\.)+${LABEL}$`);

export const isAddress = (text: string): boolean => ADDRESS.test(text);

/** An e-mail address in the form in which addresses are kept and compared; nothing where the text is none. */
export const canonicalAddress = (text: string): string | undefined =>
  isAddress(text) ? text.toLowerCase() : undefined;

/** As `canonicalAddress`; throws `ValidationError`, which names the field that held the text. */
export function demandAddress(text: string, field: string): string {
  const address = canonicalAddress(text);
  if (address === undefined) throw new ValidationError(`${field} must be an e-mail address`);
  return address;
}

/** The domain of a canonical address. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** A domain of e-mail addresses in the form in which domains are kept and compared; nothing where the text is none. */
export const canonicalDomain = (text: string): string | undefined =>
  DOMAIN.test(text) ? text.toLowerCase() : undefined;
