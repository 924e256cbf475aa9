import { canonicalAddress, domainOf } from '../../../../lib/mail/addresses.js';
import { childrenOf, onlyChild, textOf, type XmlElement } from '../../../../lib/saml/xml.js';

/** Identity of a signed-in user as asserted by the identity provider. */
export interface SamlIdentity {
  /** Provider's name for the user; usually the e-mail address. */
  nameId: string;
  /** E-mail address in lower case, in the domain of the provider. */
  email: string;
  firstName?: string;
  lastName?: string;
}

const EMAIL_NAME_ID = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const EMAIL_ATTRIBUTES = ['email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3', `${CLAIMS}/emailaddress`];
const FIRST_NAME_ATTRIBUTES = ['firstName', 'givenName', 'urn:oid:2.5.4.42', `${CLAIMS}/givenname`];
const LAST_NAME_ATTRIBUTES = ['lastName', 'sn', 'surname', 'urn:oid:2.5.4.4', `${CLAIMS}/surname`];

const MAX_LENGTH = 1024;

/**
 * Reads the user from a verified assertion: the e-mail address from a NameID of that format, otherwise from attributes
 * that providers commonly use. Throws an `Error` if the address is missing or not in `domain`: a provider is only
 * authoritative for its own domain.
 */
export function readIdentity(assertion: XmlElement, domain: string): SamlIdentity {
  const nameId = onlyChild(onlyChild(assertion, 'Subject'), 'NameID');
  const name = textOf(nameId);
  if (!name || name.length > MAX_LENGTH) throw new Error('the NameID is blank or too long');

  const isEmail = nameId.attributes.get('Format') === EMAIL_NAME_ID;
  const given = isEmail ? name : attributeOf(assertion, EMAIL_ATTRIBUTES);
  const email = given === undefined ? undefined : canonicalAddress(given);
  if (email === undefined || domainOf(email) !== domain)
    throw new Error('the email address is not of this domain');
  return {
    nameId: name,
    email,
    firstName: attributeOf(assertion, FIRST_NAME_ATTRIBUTES),
    lastName: attributeOf(assertion, LAST_NAME_ATTRIBUTES),
  };
}

/** Returns the first value of the first attribute that has one. `names` is in order of preference. */
function attributeOf(assertion: XmlElement, names: readonly string[]): string | undefined {
  const attributes = childrenOf(assertion, 'AttributeStatement').flatMap((each) =>
    childrenOf(each, 'Attribute'),
  );
  return names
    .flatMap((name) => attributes.filter((attribute) => attribute.attributes.get('Name') === name))
    .flatMap((attribute) => childrenOf(attribute, 'AttributeValue'))
    .map((value) => textOf(value))
    .find((value) => value.length > 0 && value.length <= MAX_LENGTH);
}
