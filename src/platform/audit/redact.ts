import type { DeclaredSecrets } from '../responses/declared-secrets.js';

/**
 * The net below what the document declares: names of members whose text no log may keep, wherever they stand. `NONE` are
 * those that are named so and are no secrets (`tokenTTL`).
 */
const SECRET =
  /pass(word|phrase)|secret|token|jwt|credential|(private|ssl|account|api|auth|encryption).?key|key.?json|connection.?(string|uri)|header.?value|(two.?factor|verification).?code|authorization|cookie|saml.?response/i;
const NONE = /(id|ids|sid|ttl|cutoff|count|name|scopes?|enabled)$/i;
/** Where one of these names a secret, the values beside it hold that: globals, headers of requests, also as templates. */
const KEYS = /^(key|name|header|headerName)(Template)?$/i;
const VALUES = /^(json|value)(Template)?$/i;
/** The value of a header, wherever it stands. */
const BEARER = /^\s*bearer\s+\S+\s*$/i;
/** The user and password of a URL. */
const USERINFO = /(:\/\/)[^/?#\s]*@/g;
const REDACTED = '[redacted]';
/** A body that is larger than this, in bytes of JSON, is kept by the names of its members only. */
const LARGEST = 32 * 1024;
const MOST_NAMES = 100;
const LONGEST_NAME = 100;

/**
 * A copy of a JSON value without secrets. What is declared as one is `[redacted]` as a whole. So is all text in a member
 * that names one, however deep, where numbers and flags stay, as in limits and `invalidateExistingTokens`; and what a
 * URL says before its host.
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

/** What a log keeps of a body or query: an object without secrets and of bounded size; nothing where there was none. */
export function keptOf(given: unknown, declared?: DeclaredSecrets): object | undefined {
  if (given === undefined || given === null) return undefined;
  const redacted = redact(given, declared);
  const kept =
    typeof redacted === 'object' && redacted !== null && !Array.isArray(redacted)
      ? redacted
      : { items: redacted };
  const bytes = Buffer.byteLength(JSON.stringify(kept));
  if (bytes <= LARGEST) return kept;
  const names = Object.keys(kept).slice(0, MOST_NAMES);
  return { '@bytes': bytes, '@members': names.map((name) => name.slice(0, LONGEST_NAME).toWellFormed()) };
}

/** Whether text in a member of this name is taken for a secret. */
export function namesSecret(name: string): boolean {
  return SECRET.test(name) && !NONE.test(name);
}

/** Without what PostgreSQL cannot hold: of a body it is refused, a query that no handler reads may have it. */
function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
