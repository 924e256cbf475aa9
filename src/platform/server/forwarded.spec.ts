import { plainAddresses } from './forwarded.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:50000', '192.0.2.1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['10.0.0.1,  192.0.2.1:1 ', '10.0.0.1, 192.0.2.1'],
  ['unknown', 'unknown'],
])('plainAddresses converts %j to %j', (header, plain) => {
  expect(plainAddresses(header)).toBe(plain);
});
