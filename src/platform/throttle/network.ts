import ipaddr from 'ipaddr.js';

/**
 * Whom an address stands for where requests are counted: one IPv4 address, or the /64 of an IPv6 address, which is what one
 * household or machine has. What is no address counts as one.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
