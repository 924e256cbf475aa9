import losant from 'losant-rest';
import { suite } from '../../../../test/setup/suite.js';

describe('GET /whitelabels/domain', () => {
  const { test } = suite({ PUBLIC_URL: 'https://platform.example.com:8443/api/' });

  it('tells the published command line where the platform is', async () => {
    const client = losant.createClient({ url: test.client.url });
    expect(await client.request({ method: 'get', url: '/whitelabels/domain' })).toEqual({
      appUrl: 'https://platform.example.com:8443/api',
      endpointDomain: 'platform.example.com:8443',
    });
  });
});
