import type { RunPath } from '../../engine/node-run.js';
import { invalidSetting } from '../../engine/run-error.js';
import type { TlsSettings } from '../../../lib/http/safe-http.js';
import { SafePattern } from '../../../lib/regexp/safe-pattern.js';
import { openedCredential } from '../credentials.js';
import type { HttpSettings } from './settings.js';

/** URL of a request, and how it authenticates. No part of it may reach the payload. */
export interface Authenticated {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tls: TlsSettings;
}

const basic = (username: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});

/** Adds the authentication of a node to its URL. Throws a `RunFault`. */
export async function authenticate(config: HttpSettings, path: RunPath): Promise<Authenticated> {
  const { data } = path.payload;
  const uri = config.uriTemplate(data).trim();
  const { usernameTemplate, passwordTemplate, keyTemplate, certTemplate } = config.authCredentials;
  switch (config.authType) {
    case 'none':
      return withUserInfo(uri);
    case 'basic':
      return { url: uri, headers: basic(usernameTemplate(data), passwordTemplate(data)), tls: {} };
    case 'clientCert':
      return { url: uri, headers: {}, tls: { cert: certTemplate(data), key: keyTemplate(data) } };
    case 'credential':
      return withCredential(uri, await openedCredential(path, config.credentialNameTemplate(data), 'http'));
  }
}

/** Sends user name and password of a URL as clients do, in a header. */
function withUserInfo(uri: string): Authenticated {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  if (!url || (url.username === '' && url.password === '')) return { url: uri, headers: {}, tls: {} };
  const headers = basic(decoded(url.username), decoded(url.password));
  url.username = url.password = '';
  return { url: url.href, headers, tls: {} };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function withCredential(uri: string, members: Readonly<Record<string, unknown>>): Authenticated {
  const text = (name: string): string => (typeof members[name] === 'string' ? members[name] : '');
  const [method, open, secret] = [text('authMethod'), text('publicValue'), text('secretValue')];
  const url = urlWithin(text('uriMatch'), uri);
  if (method === 'basicAuth') return { url, headers: basic(open, secret), tls: {} };
  if (method === 'clientCertificate') return { url, headers: {}, tls: { cert: open, key: secret } };
  if (method === 'header') return { url, headers: { [open.toLowerCase()]: secret }, tls: {} };
  const withQuery = new URL(url);
  withQuery.searchParams.append(open, secret);
  return { url: withQuery.href, headers: {}, tls: {} };
}

const ABSOLUTE = /^[a-z][a-z\d+.-]*:/i;

/**
 * Returns a URL that a credential may be sent to. A path is appended to the beginning of the pattern. `*` in the pattern
 * stands for any text, but does not continue the name of a host.
 */
function urlWithin(pattern: string, uri: string): string {
  const base = pattern.split('*')[0]!;
  const text = ABSOLUTE.test(uri) ? uri : `${base.replace(/\/+$/, '')}/${uri.replace(/^\/+/, '')}`;
  const [, origin = '', rest = ''] = /^([^:/]*:\/\/[^/?#]*?)(\*?(?:[/?#].*)?)$/s.exec(pattern) ?? [];
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWithin =
    url &&
    url.username === '' &&
    url.password === '' &&
    matches(origin.toLowerCase(), url.origin, '$') &&
    matches(rest, url.href.slice(url.origin.length), rest.includes('*') || rest === '' ? '' : '(?:$|[/?#])');
  if (!isWithin) throw invalidSetting('uriTemplate', 'is not a URL of the credential');
  return url.href;
}

function matches(pattern: string, text: string, end: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new SafePattern(`^${parts.join('.*')}${end}`).test(text);
}
