import { hostName, plainHost } from './host-name.js';

describe('plainHost', () => {
  it.each<[string, string | undefined]>([
    ['Pumps.Example.com', 'pumps.example.com'],
    ['pumps.example.com:8443', 'pumps.example.com'],
    ['pumps.example.com.', 'pumps.example.com'],
    ['127.0.0.1:3001', '127.0.0.1'],
    ['', undefined],
    ['[::1]:3001', '[::1]'],
    ['[::1', undefined],
    ['a b', undefined],
    ['a.com/b', undefined],
    ['user@a.com', undefined],
    ['a.com:99999999', undefined],
    ['a.com, b.com', undefined],
    ['\u212aelvin.com', undefined],
    [`${'a'.repeat(300)}.com`, undefined],
  ])('%j is %j', (given, host) => {
    expect(plainHost(given)).toBe(host);
  });
});

describe('hostName', () => {
  it.each([
    ['pump-station.sites.example.com', { kind: 'slug', name: 'pump-station' }],
    ['files.sites.example.com', { kind: 'files' }],
    ['a.pump-station.sites.example.com', undefined],
    ['ab.sites.example.com', undefined],
    ['sites.example.com', undefined],
    ['notsites.example.com', { kind: 'domain', name: 'notsites.example.com' }],
    ['pumps.example.org', { kind: 'domain', name: 'pumps.example.org' }],
    ['127.0.0.1', { kind: 'files' }],
    ['127.0.0.2', undefined],
    ['[::1]', undefined],
    ['intranet', undefined],
  ])('%s names %j', (host, name) => {
    expect(hostName(host, { sitesDomain: 'sites.example.com', filesHost: '127.0.0.1' })).toEqual(name);
  });
});
