import losant from 'losant-rest';
import { suite } from '../../../../test/setup/suite.js';

describe('GET /whitelabels/domain', () => {
  const { test } = suite({ PUBLIC_URL: 'https://platform.example.com:8443/api/' });

  it('returns the location of the platform to the published command-line tool', async () => {
    const client = losant.createClient({ url: test.client.url });
    expect(await client.request({ method: 'get', url: '/whitelabels/domain' })).toEqual({
      appUrl: 'https://platform.example.com:8443/api',
      endpointDomain: 'platform.example.com:8443',
    });
  });
});
