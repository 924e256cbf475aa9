import ipaddr from 'ipaddr.js';

/**
 * Returns the key under which requests from an address are counted: the IPv4 address, or the /64 network of an IPv6
 * address, which usually belongs to one household or machine. All invalid addresses share one key.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
