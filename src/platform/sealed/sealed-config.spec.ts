import { mergeConfig, splitConfig } from './sealed-config.js';

const PATHS = ['password', 'privateKey', 's3.secretAccessKey'];

describe('splitConfig', () => {
  it('separates all secrets from the public properties', () => {
    const config = {
      host: 'broker',
      password: 'p',
      privateKey: 'k',
      s3: { bucket: 'b', secretAccessKey: 's' },
    };
    const before = structuredClone(config);
    expect(splitConfig(config, PATHS)).toEqual({
      shown: { host: 'broker', s3: { bucket: 'b' } },
      secrets: { password: 'p', privateKey: 'k', 's3.secretAccessKey': 's' },
    });
    expect(config).toEqual(before);
  });

  it('omits secrets that are absent', () => {
    expect(splitConfig({ host: 'broker', s3: { bucket: 'b' } }, PATHS)).toEqual({
      shown: { host: 'broker', s3: { bucket: 'b' } },
      secrets: {},
    });
  });
});

describe('mergeConfig', () => {
  const before = { shown: { host: 'broker', port: 1883 }, secrets: { password: 'p', privateKey: 'k' } };

  it('keeps omitted properties and secrets', () => {
    expect(mergeConfig(before, { host: 'other', password: 'q' }, PATHS)).toEqual({
      shown: { host: 'other', port: 1883 },
      secrets: { password: 'q', privateKey: 'k' },
    });
  });

  it('removes what is null', () => {
    expect(mergeConfig(before, { port: null, privateKey: null }, PATHS)).toEqual({
      shown: { host: 'broker' },
      secrets: { password: 'p' },
    });
  });
});
