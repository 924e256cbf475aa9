import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithOpenssl, Openssl } from '../../../../test/doubles/openssl.js';
import { makeApplication, makeOrg, uniqueName } from '../../../../test/make/make.js';
import { suite } from '../../../../test/setup/suite.js';

const { test, user } = suite();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldwright-openssl-'));
});
afterAll(() => rm(folder, { recursive: true }));

describeWithOpenssl('Certificates that openssl made', () => {
  it.each(['as by default', 'with usages of a server'])(
    'and signed itself, as an authority, are accepted for a domain: %s',
    async (kind) => {
      const { id: orgId } = await makeOrg(test, user.token);
      const { id } = await makeApplication(test, user.token, { orgId });
      const domainName = `${uniqueName('d')}.example.com`;
      const usage =
        kind === 'as by default' ? [] : ['keyUsage=digitalSignature', 'extendedKeyUsage=serverAuth'];
      const openssl = await Openssl.in(folder);
      const made = await openssl.selfSigned(domainName, `subjectAltName=DNS:${domainName}`, ...usage);
      // OpenSSL itself no longer considers it an authority if its key usage does not include signing certificates.
      expect(new X509Certificate(made.certificate).ca).toBe(kind === 'as by default');
      const body = { domainName, sslCert: made.certificate, sslKey: made.key };
      const path = `/applications/${id}/experience/domains`;
      const { status } = await test.client.post(path, body, { token: user.token });
      expect(status).toBe(201);
    },
  );
});
