import { unfolded } from '../../../test/make/folding.js';
import { canonicalAddress, canonicalDomain, parseAddress, domainOf, isAddress } from './addresses.js';
import { ValidationError } from '../errors/errors.js';

const ADDRESS = 'ski-risk@ski-risk.example';

describe('ADDRESS', () => {
  it.each([ADDRESS, "first.last+tag_o'neil@mail.example.co.uk", 'a@b.c'])('accepts %s', (text) => {
    expect(isAddress(text)).toBe(true);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@b@example.com',
    'a da@example.com',
    'ada@example.com\n',
    'ada@-example.com',
    '"ada"@example.com',
    'Ada <ada@example.com>',
    `${'a'.repeat(1024)}@example.com`,
    ...unfolded(ADDRESS),
    ...unfolded(ADDRESS.replace('ski-risk@', 'a@')),
  ])('rejects %j', (text) => {
    expect(isAddress(text)).toBe(false);
    expect(canonicalAddress(text)).toBeUndefined();
    expect(() => parseAddress(text, 'me.email')).toThrow(
      new ValidationError('me.email must be an email address'),
    );
  });

  it('is stored and compared in lower case', () => {
    expect(canonicalAddress('Ada@Example.COM')).toBe('ada@example.com');
    expect(parseAddress('Ada@Example.COM', 'me.email')).toBe('ada@example.com');
    expect(domainOf('ada@example.com')).toBe('example.com');
  });
});

describe('DOMAIN', () => {
  it('is stored and compared in lower case', () => {
    expect(canonicalDomain('Mail.Example.COM')).toBe('mail.example.com');
  });

  it.each([
    '',
    'localhost',
    'a..b',
    '-a.example',
    'ada@example.com',
    'b.'.repeat(30),
    ...unfolded('ski-i.example'),
  ])('rejects %j', (text) => {
    expect(canonicalDomain(text)).toBeUndefined();
  });
});
