/** What the host of a request names. */
export type HostName =
  | { readonly kind: 'slug'; readonly name: string }
  | { readonly kind: 'domain'; readonly name: string }
  /** The host of public files of all applications. */
  | { readonly kind: 'files' };

/** Label of the host of public files. No slug can have it. */
export const FILES_LABEL = 'files';

/** A host with an optional port. Other hosts, such as IPv6 addresses, are names of no site. */
const HOST = /^([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)\.?(?::\d{1,5})?$/i;
const SLUG = /^[0-9a-z-]{3,63}$/;
/** Names that end with a digit are IP addresses. */
const DOMAIN = /\.[a-z](?:[a-z0-9-]*[a-z0-9])?$/;

/** Returns a host without its port, in lower case, or `undefined` if it is malformed. */
export const plainHost = (host: string): string | undefined => HOST.exec(host)?.[1]?.toLowerCase();

/** Returns what a host in lower case names below the domain of slugs or outside of it; `undefined` for nothing. */
export function hostName(host: string, sitesDomain: string): HostName | undefined {
  if (host === sitesDomain) return undefined;
  if (host.endsWith(`.${sitesDomain}`)) {
    const label = host.slice(0, -sitesDomain.length - 1);
    if (label === FILES_LABEL) return { kind: 'files' };
    return SLUG.test(label) ? { kind: 'slug', name: label } : undefined;
  }
  return DOMAIN.test(host) ? { kind: 'domain', name: host } : undefined;
}
