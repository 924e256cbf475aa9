import { isAddressOrRange } from '../../../lib/http/address-filter.js';
import { ValidationError } from '../../../lib/errors/errors.js';

/** Throws `400` for the first entry that is neither an IP address nor a CIDR range. */
export function checkAddresses(addresses: readonly string[] = []): void {
  const wrong = addresses.findIndex((address) => !isAddressOrRange(address));
  if (wrong >= 0)
    throw new ValidationError(
      `applicationKey.addresses.${wrong} must be an IPv4 or IPv6 address or a range such as 203.0.113.0/24`,
    );
}
