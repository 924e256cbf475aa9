import type { DeclaredSecrets } from '../responses/declared-secrets.js';

/**
 * Safety net in addition to the declared secrets: names of properties whose text must not be logged, at any depth.
 * `NOT_SECRET` lists exceptions that match but are not secrets (`tokenTTL`).
 */
const SECRET_NAME =
  /pass(word|phrase)|secret|token|jwt|credential|(private|ssl|account|api|auth|encryption).?key|key.?json|connection.?(string|uri)|header.?value|(two.?factor|verification).?code|authorization|cookie|saml.?response/i;
const NOT_SECRET = /(id|ids|sid|ttl|cutoff|count|name|scopes?|enabled)$/i;
/**
 * If one of these properties contains the name of a secret, its sibling values hold the secret: globals, request
 * headers and their templates.
 */
const KEYS = /^(key|name|header|headerName)(Template)?$/i;
const VALUES = /^(json|value)(Template)?$/i;
/** The value of an `Authorization` header, in any property. */
const BEARER = /^\s*bearer\s+\S+\s*$/i;
/** User and password of a URL. */
const USERINFO = /(:\/\/)[^/?#\s]*@/g;
const REDACTED = '[redacted]';
/** Maximum size of a logged body, in bytes of JSON. Of larger bodies, only the property names are logged. */
const MAX_LOGGED_BYTES = 32 * 1024;
const MAX_NAMES = 100;
const MAX_NAME_LENGTH = 100;

/**
 * Returns a copy of a JSON value without secrets. A declared secret becomes `[redacted]` as a whole. In a property
 * whose name suggests a secret, all text is redacted at any depth. Numbers and booleans are kept, as in limits and
 * `invalidateExistingTokens`. Credentials in URLs are redacted too.
 */
export function redact(value: unknown, declared?: DeclaredSecrets, secret = false): unknown {
  if (value === null || value === undefined) return value;
  if (declared?.secret) return REDACTED;
  if (typeof value === 'string')
    return secret || BEARER.test(value) ? REDACTED : storable(value).replace(USERINFO, `$1${REDACTED}@`);
  if (Array.isArray(value)) {
    const items = declared?.item();
    return value.map((item) => redact(item, items, secret));
  }
  if (typeof value !== 'object') return value;
  const ofSecret = Object.entries(value).some(
    ([name, text]) => KEYS.test(name) && typeof text === 'string' && namesSecret(text),
  );
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      storable(name),
      redact(member, declared?.member(name), secret || namesSecret(name) || (ofSecret && VALUES.test(name))),
    ]),
  );
}

/**
 * Returns the loggable form of a body or query: an object without secrets and of bounded size. Returns `undefined` if
 * there was none.
 */
export function loggableOf(given: unknown, declared?: DeclaredSecrets): object | undefined {
  if (given === undefined || given === null) return undefined;
  const redacted = redact(given, declared);
  const kept =
    typeof redacted === 'object' && redacted !== null && !Array.isArray(redacted)
      ? redacted
      : { items: redacted };
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  if (bytes <= MAX_LOGGED_BYTES) return kept;
  const names = Object.keys(kept).slice(0, MAX_NAMES);
  return { '@bytes': bytes, '@members': names.map((name) => name.slice(0, MAX_NAME_LENGTH).toWellFormed()) };
}

/** Returns whether text in a property with this name is treated as a secret. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name) && !NOT_SECRET.test(name);
}

/**
 * Removes characters that PostgreSQL cannot store. Bodies with them are rejected, but a query that no handler reads may
 * contain them.
 */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
