import type { Config } from '../../config/config.js';

type Addresses = Pick<Config, 'PUBLIC_URL' | 'publicUrl' | 'filesUrl'>;

/**
 * Returns the platform's addresses without a scheme, by their placeholders in bundles. Published bundles write
 * `https://~exportplaceholderid-files-domain~/<application>/<path>`.
 */
export function platformAddresses({ publicUrl, filesUrl }: Addresses): ReadonlyMap<string, string> {
  const [api, files] = [publicUrl, filesUrl].map((url) => url.replace(/^https?:\/\//, ''));
  return new Map([
    ['~exportplaceholderid-app-url~', api!],
    ['~exportplaceholderid-triggers-url~', api!],
    ['~exportplaceholderid-endpoint-domain~', api!],
    ['~exportplaceholderid-broker-url~', new URL(publicUrl).hostname],
    ['~exportplaceholderid-docs-url~', `${api!}/docs`],
    ['~exportplaceholderid-files-domain~', `${files!}/files`],
  ]);
}

/** Placeholders that exports write, and what follows the address. */
const WRITTEN = [
  ['~exportplaceholderid-files-domain~', ''],
  ['~exportplaceholderid-triggers-url~', '/webhooks'],
  ['~exportplaceholderid-docs-url~', ''],
  ['~exportplaceholderid-app-url~', ''],
] as const;

/**
 * Returns a function that replaces the platform's addresses in URLs by their placeholders. Without `PUBLIC_URL`, texts
 * are not changed: a loopback address can also be a server on a device.
 */
export function addressReplacer(config: Addresses): (text: string) => string {
  if (config.PUBLIC_URL === undefined) return (text) => text;
  const addresses = platformAddresses(config);
  const written = new Map(WRITTEN.map(([name, end]) => [addresses.get(name)! + end, name + end]));
  const found = [...written.keys()].map((address) => address.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?<=//)(?:${found.join('|')})(?![\\w:-]|\\.\\w)`, 'g');
  return (text) => text.replace(pattern, (address) => written.get(address)!);
}
