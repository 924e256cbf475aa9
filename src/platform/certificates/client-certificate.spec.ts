import { X509Certificate } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Config } from '../../config/config.js';
import { ClientCertificates, derOf } from './client-certificate.js';
import { AUTHORITY_PEM, DEVICE_PEM } from '../../lib/crypto/certificate-examples.js';

const DER = new X509Certificate(DEVICE_PEM).raw;
const ESCAPED = encodeURIComponent(DEVICE_PEM);
const BYTES = `:${DER.toString('base64')}:`;

describe('The client certificate header', () => {
  it.each([
    ['as RFC 9440 has it', BYTES],
    ['as PEM that is escaped', ESCAPED],
    [
      'as PEM whose spaces and line ends alone are escaped',
      DEVICE_PEM.replace(/\n/g, '%0A').replace(/ /g, '%20'),
    ],
  ])('is read %s', (_, value) => {
    expect(derOf(value)).toEqual(DER);
  });

  it.each([
    ['nothing', ''],
    ['another text', 'certificate'],
    ['what is escaped wrongly', '%E0%A4%A'],
    ['two byte sequences', `${BYTES}, ${BYTES}`],
    ['what is no base64', ':%2B:'],
    ['an empty byte sequence', '::'],
    ['a chain', encodeURIComponent(DEVICE_PEM + AUTHORITY_PEM)],
    ['a private key', encodeURIComponent('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n')],
    ['the header twice', `${ESCAPED}, ${ESCAPED}`],
  ])('is ignored if it contains %s', (_, value) => {
    expect(derOf(value)).toBeUndefined();
  });
});

describe('A client certificate', () => {
  const of = (
    proxies: string,
    remoteAddress: string | undefined,
    headers: IncomingHttpHeaders = { 'client-cert': BYTES },
  ) => {
    const certificates = new ClientCertificates(Config.from({ CLIENT_CERTIFICATE_PROXIES: proxies }));
    return certificates.read({ headers, socket: { remoteAddress } as never });
  };

  it.each([
    ['10.0.0.5', '10.0.0.5'],
    ['10.0.0.5', '::ffff:10.0.0.5'],
    ['192.0.2.1, 10.0.0.0/28', '10.0.0.5'],
    ['2001:db8::/64', '2001:db8::7'],
  ])('is accepted from the proxies %s if the connection comes from %s', (proxies, address) => {
    expect(of(proxies, address)).toEqual(DER);
  });

  it.each([
    ['', '10.0.0.5'],
    ['', '127.0.0.1'],
    ['10.0.0.5', '10.0.0.6'],
    ['10.0.0.0/28', '10.0.0.16'],
    ['10.0.0.5', undefined],
  ])('is ignored with the proxies %j if the connection comes from %s', (proxies, address) => {
    expect(of(proxies, address)).toBeUndefined();
  });

  it('is accepted based on the address of the connection, regardless of forwarding headers', () => {
    const headers = { 'client-cert': BYTES, 'x-forwarded-for': '10.0.0.5', forwarded: 'for=10.0.0.5' };
    expect(of('10.0.0.5', '203.0.113.7', headers)).toBeUndefined();
  });

  it('is undefined if the proxy sends no header', () => {
    expect(of('10.0.0.5', '10.0.0.5', {})).toBeUndefined();
  });
});
