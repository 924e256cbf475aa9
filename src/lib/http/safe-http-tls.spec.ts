import { once } from 'node:events';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
  issueAuthority,
  issueForDevice,
  issueForDomain,
  type Issued,
} from '../../../test/make/certificates.js';
import { expectRefusal } from '../../../test/doubles/http-servers.js';
import { SafeHttp, type TlsSettings } from './safe-http.js';

const HOST = 'pumps.example.com';
const toLoopback: LookupFunction = (_hostname, { all }, callback) =>
  all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);

const keyOf = async ({ keys }: Issued): Promise<string> => {
  const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
};

describe('SafeHttp with TLS settings', () => {
  let authority: Issued;
  let domain: Issued;
  let server: Server;
  beforeAll(async () => {
    authority = await issueAuthority();
    domain = await issueForDomain([HOST], { issuer: authority });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Starts a server that answers with the name of its client, and returns its origin. */
  async function serve(options: ServerOptions = {}): Promise<string> {
    server = createServer(
      { key: await keyOf(domain), cert: domain.pem, ...options },
      ({ socket }, response) => response.end(String((socket as TLSSocket).getPeerCertificate().subject?.CN)),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `https://${HOST}:${(server.address() as AddressInfo).port}`;
  }
  const clientFor = (origin: string) => new SafeHttp({ allowedOrigins: [origin], lookup: toLoopback });

  it.each<[string, () => TlsSettings]>([
    ['an authority', () => ({ ca: authority.pem })],
    ['any certificate', () => ({ rejectUnauthorized: false })],
  ])('trusts %s if so requested, in this request only', async (_title, tls) => {
    const origin = await serve();
    const http = clientFor(origin);
    await expectRefusal('unreachable', http, { url: origin });
    expect((await http.request({ url: origin, tls: tls() })).body.toString()).toBe('undefined');
    await expectRefusal('unreachable', http, { url: origin });
  });

  it('identifies itself with a client certificate', async () => {
    const origin = await serve({ requestCert: true, ca: authority.pem });
    const client = await issueForDevice(authority, { subject: 'CN=Pump 1' });
    const tls = { ca: authority.pem, cert: client.pem, key: await keyOf(client) };
    expect((await clientFor(origin).request({ url: origin, tls })).body.toString()).toBe('Pump 1');
  });

  it('refuses a certificate that is none', async () => {
    const origin = await serve();
    await expectRefusal('unreachable', clientFor(origin), {
      url: origin,
      tls: { cert: 'none', key: 'none' },
    });
  });

  it('does not reach private addresses', async () => {
    const origin = await serve();
    const http = new SafeHttp({ allowsPlain: true, lookup: toLoopback });
    await expectRefusal('address', http, { url: origin, tls: { ca: authority.pem } });
  });
});
