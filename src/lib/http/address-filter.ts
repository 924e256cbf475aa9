import ipaddr from 'ipaddr.js';

/**
 * Stored rule about the addresses from which a credential may be used: only these addresses and ranges, or all but
 * these.
 */
export interface AddressRule {
  type: 'whitelist' | 'blacklist';
  addresses: readonly string[];
}

/** Returns whether a text is an IPv4 or IPv6 address, or a range of them in CIDR notation. */
export function isAddressOrRange(text: string): boolean {
  const [address = '', ...range] = text.split('/');
  // The library also accepts `127.1` and octal parts, which servers parse differently, and zones of a single host.
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(address) || isPlainIPv6(address);
  return isPlain && (range.length === 0 || ipaddr.isValidCIDR(text));
}

function isPlainIPv6(address: string): boolean {
  return ipaddr.IPv6.isValid(address) && !address.includes('%');
}

interface Range {
  network: ipaddr.IPv4 | ipaddr.IPv6;
  bits: number;
}

/** An `AddressRule`, parsed once for many requests. Its addresses are validated when they are stored. */
export class AddressFilter {
  private readonly ranges: readonly Range[];

  constructor(private readonly rule: AddressRule) {
    this.ranges = rule.addresses.map(rangeOf);
  }

  /** Number of ranges in the filter. */
  get size(): number {
    return this.ranges.length;
  }

  /** Returns whether a request from this address is allowed. Anything that is not an address is rejected. */
  allows(address: string | undefined): boolean {
    if (address === undefined || !ipaddr.isValid(address)) return false;
    const from = ipaddr.process(address);
    return this.ranges.some((range) => contains(range, from)) === (this.rule.type === 'whitelist');
  }
}

/** Converts IPv4-mapped IPv6 addresses to IPv4, as is done for the addresses of requests. */
function rangeOf(text: string): Range {
  const [network, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : singleAddress(ipaddr.parse(text));
  if (network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96)
    return { network: network.toIPv4Address(), bits: bits - 96 };
  return { network, bits };
}

const singleAddress = (address: ipaddr.IPv4 | ipaddr.IPv6): [ipaddr.IPv4 | ipaddr.IPv6, number] => [
  address,
  address instanceof ipaddr.IPv4 ? 32 : 128,
];

function contains({ network, bits }: Range, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}
