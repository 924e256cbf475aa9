import { addressReplacer, platformAddresses } from './platform-addresses.js';

const of = (name: string) => `~exportplaceholderid-${name}~`;
const PUBLIC_URL = 'https://pumps.example.com:8443';
const CONFIG = {
  PUBLIC_URL,
  publicUrl: PUBLIC_URL,
  publicFilesUrl: 'http://files.example.com/files',
  sitesUrl: 'https://sites.example.com:8443',
};

describe('Addresses of the platform', () => {
  it('are those of the configuration', () => {
    expect(Object.fromEntries(platformAddresses(CONFIG))).toEqual({
      [of('app-url')]: { address: 'pumps.example.com:8443', hasTls: true },
      [of('triggers-url')]: { address: 'pumps.example.com:8443', hasTls: true },
      [of('endpoint-domain')]: { address: 'sites.example.com:8443', hasTls: true },
      [of('broker-url')]: { address: 'pumps.example.com', hasTls: true },
      [of('docs-url')]: { address: 'pumps.example.com:8443/docs', hasTls: true },
      [of('files-domain')]: { address: 'files.example.com/files', hasTls: false },
    });
  });

  it.each([
    [`${PUBLIC_URL}/webhooks/abc`, `https://${of('triggers-url')}/webhooks/abc`],
    [`${PUBLIC_URL}/docs/`, `https://${of('docs-url')}/`],
    [`${PUBLIC_URL}/documents`, `https://${of('app-url')}/documents`],
    [`see ${PUBLIC_URL}.`, `see https://${of('app-url')}.`],
    ['(https://files.example.com/files/1/a.png)', `(https://${of('files-domain')}/1/a.png)`],
    ['https://files.example.com', 'https://files.example.com'],
    [`${PUBLIC_URL}0`, `${PUBLIC_URL}0`],
    ['https://my.sites.example.com:8443/a', `https://my.${of('endpoint-domain')}/a`],
    ['https://{{globals.slug}}.sites.example.com:8443', `https://{{globals.slug}}.${of('endpoint-domain')}`],
    [
      `https://${of('application-a')}.sites.example.com:8443`,
      `https://${of('application-a')}.${of('endpoint-domain')}`,
    ],
    ['https://a.b.sites.example.com:8443', 'https://a.b.sites.example.com:8443'],
    ['my.sites.example.com:8443', 'my.sites.example.com:8443'],
    ['mqtts://pumps.example.com:8883', `mqtts://${of('broker-url')}:8883`],
    ['tcp://pumps.example.com', `tcp://${of('broker-url')}`],
    ['mqtts://pumps.example.com.evil.example', 'mqtts://pumps.example.com.evil.example'],
    ['mqtts://a.pumps.example.com', 'mqtts://a.pumps.example.com'],
    ['pumps.example.com', of('broker-url')],
    ['{"host":"pumps.example.com"}', `{"host":"${of('broker-url')}"}`],
    [String.raw`{\"host\":\"pumps.example.com\"}`, String.raw`{\"host\":\"${of('broker-url')}\"}`],
    ['Ask pumps.example.com', 'Ask pumps.example.com'],
    ['a@pumps.example.com:8443', 'a@pumps.example.com:8443'],
  ])('%s is written as %s', (text, written) => {
    expect(addressReplacer(CONFIG)(text)).toBe(written);
    expect(addressReplacer(CONFIG)(written)).toBe(written);
    const resolved = [...platformAddresses(CONFIG)].reduce(
      (found, [placeholder, { address }]) => found.replaceAll(placeholder, address),
      written,
    );
    expect(resolved).toBe(text);
  });

  it('are found in a long text in bounded time', () => {
    const text = 'https://' + 'a-'.repeat(5_000_000);
    expect(addressReplacer(CONFIG)(text)).toBe(text);
  });

  it('are not written without a public URL', () => {
    const local = {
      PUBLIC_URL: undefined,
      publicUrl: 'http://127.0.0.1:3000',
      publicFilesUrl: 'http://127.0.0.1:3001/files',
      sitesUrl: 'http://localhost:3001',
    };
    expect(addressReplacer(local)('http://127.0.0.1:3000/a')).toBe('http://127.0.0.1:3000/a');
  });
});
