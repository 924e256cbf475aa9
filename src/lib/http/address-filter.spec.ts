import { AddressFilter } from './address-filter.js';

const lists = (addresses: string[], address: string | undefined): boolean => {
  const [only, but] = (['whitelist', 'blacklist'] as const).map((type) =>
    new AddressFilter({ type, addresses }).allows(address),
  );
  expect(but).toBe(!only);
  return only!;
};

describe('An address filter', () => {
  it.each<[string, string, boolean]>([
    ['203.0.113.7', '203.0.113.7', true],
    ['203.0.113.7', '203.0.113.8', false],
    ['203.0.113.0/24', '203.0.113.255', true],
    ['203.0.113.0/24', '203.0.114.0', false],
    ['203.0.113.77/24', '203.0.113.1', true],
    ['0.0.0.0/0', '198.51.100.1', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['203.0.113.7/32', '203.0.113.7', true],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['2001:DB8::1', '2001:db8:0:0:0:0:0:1', true],
    ['::/0', '2001:db8::1', true],
    ['::/0', '203.0.113.7', false],
    ['203.0.113.0/24', '::ffff:203.0.113.7', true],
    ['::ffff:203.0.113.7', '203.0.113.7', true],
    ['::ffff:203.0.113.0/120', '203.0.113.9', true],
    ['::ffff:203.0.113.0/120', '203.0.114.9', false],
    ['fe80::/10', 'fe80::1%eth0', true],
  ])('for %s matches %s: %s', (range, address, isListed) => {
    expect(lists([range], address)).toBe(isListed);
  });

  it('for several entries matches addresses that any of them matches', () => {
    expect(lists(['203.0.113.7', '2001:db8::/32'], '2001:db8::1')).toBe(true);
    expect(lists(['203.0.113.7', '2001:db8::/32'], '203.0.113.8')).toBe(false);
  });

  it('with an empty list matches nothing', () => {
    expect(lists([], '203.0.113.7')).toBe(false);
  });

  it.each([undefined, '', 'unknown', '203.0.113.7, 203.0.113.8', '203.0.113.0/24'])(
    'never allows %s, which is not an address',
    (address) => {
      for (const type of ['whitelist', 'blacklist'] as const)
        expect(new AddressFilter({ type, addresses: ['0.0.0.0/0', '::/0'] }).allows(address)).toBe(false);
    },
  );
});
