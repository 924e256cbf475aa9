import type { Config } from '../../config/config.js';

type Addresses = Pick<Config, 'PUBLIC_URL' | 'publicUrl' | 'publicFilesUrl' | 'sitesUrl'>;

/** An address of the platform without a scheme. */
export interface PlatformAddress {
  readonly address: string;
  /** Whether browsers reach it over TLS. */
  readonly hasTls: boolean;
}

/**
 * Returns the platform's addresses by their placeholders in bundles. Published bundles write
 * `https://~exportplaceholderid-files-domain~/<application>/<path>`.
 */
export function platformAddresses({
  publicUrl,
  publicFilesUrl,
  sitesUrl,
}: Addresses): ReadonlyMap<string, PlatformAddress> {
  const addressOf = (url: string): PlatformAddress => ({
    address: url.replace(/^https?:\/\//, ''),
    hasTls: url.startsWith('https:'),
  });
  const api = addressOf(publicUrl);
  return new Map([
    ['~exportplaceholderid-app-url~', api],
    ['~exportplaceholderid-triggers-url~', api],
    ['~exportplaceholderid-endpoint-domain~', addressOf(sitesUrl)],
    ['~exportplaceholderid-broker-url~', { ...api, address: new URL(publicUrl).hostname }],
    ['~exportplaceholderid-docs-url~', { ...api, address: `${api.address}/docs` }],
    ['~exportplaceholderid-files-domain~', addressOf(publicFilesUrl)],
  ]);
}

/** Text before an address in a URL. */
const IN_URL = '//';
/** Text before the host of slugs in the URL of an experience: a label, which may be a template or a placeholder. */
const AFTER_SLUG = String.raw`//(?:[\w-]|\{\{[^{}]{1,200}\}\}|~[\w-]{1,200}~){1,100}\.`;
/** Text before the broker: the scheme of its URL, or the start of a text that consists of the name alone. */
const BROKER_URL = String.raw`\b(?:mqtts?|ssl|tls|tcp)://`;
const ALONE = String.raw`(?:^|["'])`;

const NO_LONGER_NAME = String.raw`(?![\w:-]|\.\w)`;

/** An address that exports replace: the path that follows it, and what must surround both. */
interface Written {
  name: string;
  path?: string;
  before: string;
  after?: string;
}

/** In order of precedence. */
const WRITTEN: readonly Written[] = [
  { name: 'files-domain', before: IN_URL },
  { name: 'triggers-url', path: '/webhooks', before: IN_URL },
  { name: 'docs-url', before: IN_URL },
  { name: 'broker-url', before: BROKER_URL, after: String.raw`(?![\w-]|\.\w)` },
  { name: 'broker-url', before: ALONE, after: String.raw`(?=["'\\]|$)` },
  { name: 'endpoint-domain', before: AFTER_SLUG },
  { name: 'app-url', before: IN_URL },
];

/**
 * Returns a function that replaces the platform's addresses by their placeholders, so that an import on another platform
 * gets the addresses of that platform. Without `PUBLIC_URL`, texts are not changed: a loopback address can also be a
 * server on a device.
 */
export function addressReplacer(config: Addresses): (text: string) => string {
  if (config.PUBLIC_URL === undefined) return (text) => text;
  const addresses = platformAddresses(config);
  const found = WRITTEN.map(({ name, path = '', before, after = NO_LONGER_NAME }) => {
    const placeholder = `~exportplaceholderid-${name}~`;
    const address = (addresses.get(placeholder)!.address + path).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    // The address comes first, so that the text before it is tested only if the address occurs.
    return { written: placeholder + path, pattern: `(${address}(?<=${before}${address})${after})` };
  });
  const pattern = new RegExp(found.map((each) => each.pattern).join('|'), 'g');
  return (text) =>
    text.replace(pattern, (...groups: unknown[]) => {
      const matched = groups.slice(1, found.length + 1).findIndex((group) => group !== undefined);
      return found[matched]!.written;
    });
}
