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
  types: ['mqtt', 'sqs'],
  schemaOf: () => ({ type: 'object', description: 'A server.', properties }),
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
});
