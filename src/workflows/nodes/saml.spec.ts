import { runNode } from '../../../test/doubles/run-node.js';
import {
  providerPair,
  readRequest,
  signedResponse,
  type ResponseOptions,
} from '../../../test/doubles/saml-identity-provider.js';
import { ACS, base64, PROVIDER, SERVICE } from '../../../test/make/saml-metadata.js';
import type { StoragePort } from '../engine/ports.js';
import { samlLoginRedirectNode } from './saml-login/index.js';
import { samlVerifyNode } from './saml-verify/index.js';

const data = { sp: SERVICE, idp: PROVIDER };
const parties = { spMetadataTemplate: '{{{data.sp}}}', idpMetadataTemplate: '{{{data.idp}}}' };

/** Storage that keeps the states of nodes. */
function storage(): Partial<StoragePort> {
  const states = new Map<string, unknown>();
  return {
    update: async (_actor, nodeId, identifier, next) => {
      const { state, result } = next(states.get(`${nodeId} ${identifier}`));
      states.set(`${nodeId} ${identifier}`, state);
      return result;
    },
  };
}

const response = (more: Partial<ResponseOptions> = {}) =>
  signedResponse({ issuer: 'idp', audience: 'portal', acsUrl: ACS, email: 'ada@example.com', ...more });

async function verify(samlResponse: string, more: object = {}, store = storage()) {
  const config = { ...parties, samlResponseTemplate: '{{{data.response}}}', resultPath: 'r' };
  const ports = { storage: store as StoragePort };
  const { payload, output } = await runNode(
    samlVerifyNode,
    config,
    { data: { ...data, response: samlResponse, ...more } },
    { ports },
  );
  return { output, r: (payload as { r?: any }).r };
}

describe('SamlLoginRedirectNode', () => {
  const login = async (more: object = {}) => {
    const config = { ...parties, resultPath: 'r' };
    return (await runNode(samlLoginRedirectNode, config, { data: { ...data, ...more } })).payload as {
      r: any;
    };
  };

  it('writes the URL of the provider with a request of the service', async () => {
    const { redirectUrl } = (await login()).r;
    expect(redirectUrl).toMatch(/^https:\/\/idp\.example\.com\/sso\?/);
    expect(new URL(redirectUrl).searchParams.get('tenant')).toBe('7');
    expect(readRequest(redirectUrl)).toMatchObject({ id: '_effect', issuer: 'portal', acsUrl: ACS });
  });

  it.each<[object, string]>([
    [{ sp: 'x' }, 'not one whole document'],
    [{ sp: PROVIDER }, 'must contain exactly one SPSSODescriptor'],
    [{ idp: SERVICE }, 'must contain exactly one IDPSSODescriptor'],
    [
      { idp: PROVIDER.replace('HTTP-Redirect', 'SOAP') },
      'SingleSignOnService has no URL with the binding HTTP-Redirect',
    ],
    [
      { idp: PROVIDER.replace('https://idp.example.com/sso', 'javascript:alert(1)//') },
      'SingleSignOnService has no URL',
    ],
    [{ idp: PROVIDER.replace('use="signing"', 'use="encryption"') }, '1 to 10 signing certificates'],
    [{ idp: `<!DOCTYPE x [<!ENTITY y "z">]>${PROVIDER}` }, 'markup other than elements'],
    [{ idp: ' '.repeat(300_000) }, 'more than 262144 characters'],
  ])('writes the error of metadata: case %#', async (more, message) => {
    expect((await login(more)).r).toEqual({
      error: { type: 'SamlError', message: expect.stringContaining(message) },
    });
  });

  it('fails the run without metadata', async () => {
    await expect(login({ sp: '' })).rejects.toMatchObject({ message: 'spMetadataTemplate is required' });
  });
});

describe('SamlVerifyNode', () => {
  it('writes the attributes of the user', async () => {
    const attributes = { role: ['admin', 'owner'], team: 'R & D' };
    expect(await verify(await response({ attributes }))).toEqual({
      output: 1,
      r: { nameID: 'ada@example.com', email: 'ada@example.com', ...attributes },
    });
    expect((await verify(await response({ inResponseTo: '_effect' }))).output).toBe(1);
  });

  it('accepts each response once', async () => {
    const [given, store] = [await response(), storage()];
    expect((await verify(given, {}, store)).output).toBe(1);
    expect(await verify(given, {}, store)).toEqual({
      output: 0,
      r: { error: { type: 'SamlError', message: 'the assertion was used before' } },
    });
    expect((await verify(await response(), {}, store)).output).toBe(1);
  });

  it.each<[Partial<ResponseOptions>, string]>([
    [{ issuer: 'other' }, 'another issuer'],
    [{ audience: 'other' }, 'audience'],
    [{ acsUrl: 'https://other.example.com' }, 'another destination'],
    [{ lifetime: -600 }, 'conditions do not hold'],
    [{ signAssertion: false }, ''],
    [{ signatureAlgorithm: 'rsa-sha1' }, 'not an accepted algorithm'],
    [{ statusCode: 'urn:oasis:names:tc:SAML:2.0:status:Requester' }, 'status'],
  ])('refuses a response with %j', async (more, message) => {
    expect(await verify(await response(more))).toEqual({
      output: 0,
      r: { error: { type: 'SamlError', message: expect.stringContaining(message) } },
    });
  });

  it('refuses a response of another provider, and one that was changed', async () => {
    const xml = Buffer.from(await response(), 'base64').toString();
    const changed = Buffer.from(xml.replaceAll('ada@', 'bob@')).toString('base64');
    expect((await verify(changed)).output).toBe(0);
    const other = PROVIDER.replace(
      base64(providerPair.cert),
      base64(providerPair.cert).replace(/^.{20}/, 'A'.repeat(20)),
    );
    expect((await verify(await response(), { idp: other })).output).toBe(0);
    expect((await verify('no base64!')).output).toBe(0);
  });

  it('fails the run without a response', async () => {
    await expect(verify('')).rejects.toMatchObject({ message: 'samlResponseTemplate is required' });
  });
});
