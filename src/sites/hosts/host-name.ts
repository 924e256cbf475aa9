import type { Config } from '../../config/config.js';

/** What the host of a request names. */
export type HostName =
  | { readonly kind: 'slug'; readonly name: string }
  | { readonly kind: 'domain'; readonly name: string }
  /** The host of public files of all applications. */
  | { readonly kind: 'files' };

/** Label of the host of public files. No slug can have it. */
export const FILES_LABEL = 'files';

/** A name or an IP address, with an optional port. */
const HOST = /^([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])\.?(?::\d{1,5})?$/i;
const SLUG = /^[0-9a-z-]{3,63}$/;
/** Names that end with a digit are IP addresses. */
const DOMAIN = /\.[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

/** Returns a host without its port, in lower case, or `undefined` if it is malformed. */
export const plainHost = (host: string): string | undefined => HOST.exec(host)?.[1]?.toLowerCase();

/** Domain of slugs, and host in the URLs of public files. */
export interface OwnNames {
  readonly sitesDomain: string;
  readonly filesHost: string;
}

/** Returns the names that the configuration assigns to this platform. */
export const ownNames = ({
  SITES_DOMAIN,
  publicFilesUrl,
}: Pick<Config, 'SITES_DOMAIN' | 'publicFilesUrl'>): OwnNames => ({
  sitesDomain: SITES_DOMAIN,
  filesHost: new URL(publicFilesUrl).hostname,
});

/** Returns what a host in lower case names below the domain of slugs or outside of it; `undefined` for nothing. */
export function hostName(host: string, { sitesDomain, filesHost }: OwnNames): HostName | undefined {
  if (host === filesHost) return { kind: 'files' };
  if (host === sitesDomain) return undefined;
  if (host.endsWith(`.${sitesDomain}`)) {
    const label = host.slice(0, -sitesDomain.length - 1);
    if (label === FILES_LABEL) return { kind: 'files' };
    return SLUG.test(label) ? { kind: 'slug', name: label } : undefined;
  }
  return DOMAIN.test(host) ? { kind: 'domain', name: host } : undefined;
}
