import { load } from './driver.js';

describe('load', () => {
  it('names a package that is not installed', async () => {
    await expect(load('no-such-driver')).rejects.toMatchObject({
      name: 'NotAvailable',
      message: 'The package no-such-driver is not installed on this platform',
    });
  });
});
