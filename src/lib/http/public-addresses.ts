import ipaddr from 'ipaddr.js';
import { isIP, type LookupFunction } from 'node:net';
import { OutboundError } from './outbound-error.js';

/** Ports below have protocols of their own, such as mail. */
export const FIRST_FREE_PORT = 1024;
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Returns a lookup that fails unless all addresses it finds are public. The socket connects to exactly these. */
export function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
      const [first] = addresses;
      const usable = first && addresses.every(({ address }) => isPublic(address));
      if (!usable) callback(new OutboundError('address'), []);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Returns whether an address is on the public internet. IPv4 addresses embedded in IPv6 are treated as IPv4. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  // IANA has only assigned 2000::/3 for IPv6; the rest contains relics such as ::127.0.0.1.
  const assigned = address.kind() === 'ipv4' || address.match(GLOBAL_IPV6);
  return assigned && address.range() === 'unicast';
}
