import { SecretBox } from '../../lib/crypto/secrets.js';
import { TypedConfigs } from './typed-configs.js';

const properties = {
  url: { type: 'string' },
  password: { type: 'string', writeOnly: true },
  headers: { type: 'array', items: { type: 'object', properties: { value: { writeOnly: true } } } },
};
const configs = new TypedConfigs<'mqtt' | 'sqs'>({
  name: 'integration',
  table: 'integrations',
  sampled: 'mqtt',
  types: ['mqtt', 'sqs'],
  schemaOf: () => ({ type: 'object', description: 'A server.', properties }),
  destinationOf: () => ['url'],
});
const box = new SecretBox(Buffer.alloc(32, 7));
const ID = '575ec8687ae143cd83dc4a97';

describe('TypedConfigs', () => {
  it('stores secrets, and lists with secrets, in a column of their own', () => {
    const given = { url: 'wss://a', password: 'p', headers: [{ value: 'v' }] };
    const split = configs.merged('mqtt', { shown: {}, secrets: {} }, given);
    expect(split).toEqual({
      shown: { url: 'wss://a' },
      secrets: { password: 'p', headers: [{ value: 'v' }] },
    });
    const row = { id: ID, ...configs.columns(ID, 'mqtt', split, box) };
    expect(row).toMatchObject({ mqttConfig: { url: 'wss://a' } });
    expect(JSON.stringify(row)).not.toContain('"v"');
    expect(configs.stored('mqtt', row, box)).toEqual(split);
  });

  it('rejects the configuration of another type, and a missing one', () => {
    expect(() => configs.given('mqtt', { sqsConfig: {} })).toThrow(
      'integration.sqsConfig does not apply to an integration of the type mqtt',
    );
    expect(() => configs.required('mqtt', {})).toThrow('integration.mqttConfig is required');
    expect(configs.given('mqtt', {})).toBeUndefined();
    expect(configs.typesIn({ mqttConfig: {}, sqsConfig: {} })).toEqual(['mqtt', 'sqs']);
  });

  it('rejects another destination for a stored secret that is not given again', () => {
    const before = { shown: { url: 'wss://a', clean: true }, secrets: { password: 'p' } };
    const missing = 'integration.mqttConfig.password is required when url changes';
    for (const change of [{ url: 'wss://b' }, { url: null }])
      expect(() => configs.merged('mqtt', before, change)).toThrow(missing);
    expect(() => configs.replaced('mqtt', before, { clean: true })).toThrow(missing);
    for (const change of [{ url: 'wss://a' }, { clean: false }, { url: 'wss://b', password: 'q' }])
      expect(configs.merged('mqtt', before, change).shown).toMatchObject(
        change.url ? { url: change.url } : {},
      );
    expect(configs.merged('mqtt', before, { url: 'wss://b', password: null }).secrets).toEqual({});
    expect(configs.merged('mqtt', { shown: {}, secrets: {} }, { url: 'wss://b' }).secrets).toEqual({});
  });
});
