import ipaddr from 'ipaddr.js';
import { ValidationError } from '../../platform/errors/errors.js';

/** Throws 400 for the first that is neither an IP address nor a range of them in CIDR notation. */
export function checkAddresses(addresses: readonly string[] = []): void {
  const wrong = addresses.findIndex((address) => !isAddress(address));
  if (wrong >= 0)
    throw new ValidationError(
      `applicationKey.addresses.${wrong} must be an IPv4 or IPv6 address or a range such as 203.0.113.0/24`,
    );
}

function isAddress(text: string): boolean {
  const [address = '', ...range] = text.split('/');
  // The library also takes `127.1` and octal parts, which servers read differently, and zones of a single host.
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(address) || isPlainIPv6(address);
  return isPlain && (range.length === 0 || ipaddr.isValidCIDR(text));
}

function isPlainIPv6(address: string): boolean {
  return ipaddr.IPv6.isValid(address) && !address.includes('%');
}
