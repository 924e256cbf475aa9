import { SecretBox } from '../../lib/crypto/secrets.js';
import { SealedColumn } from './sealed-column.js';

const box = new SecretBox(Buffer.alloc(32, 7));
const column = new SealedColumn('integrations:secrets_sealed');
const ID = '575ec8687ae143cd83dc4a97';

describe('SealedColumn', () => {
  it('decrypts a text for the same row', () => {
    const sealed = column.seal(ID, 'Correct-Horse-7', box);
    expect(sealed).not.toContain('Correct');
    expect(column.open(ID, sealed, box)).toBe('Correct-Horse-7');
    expect(box.open(sealed, `integrations:secrets_sealed:${ID}`)).toBe('Correct-Horse-7');
  });

  it('rejects a value of another row or column', () => {
    const sealed = column.seal(ID, 'Correct-Horse-7', box);
    expect(() => column.open('6a1b2c3d4e5f60718293a4b5', sealed, box)).toThrow();
    expect(() => new SealedColumn('webhooks:secrets_sealed').open(ID, sealed, box)).toThrow();
  });

  it('encrypts the secrets of a configuration as one value', () => {
    const secrets = { password: 'p', 's3.secretAccessKey': 's' };
    expect(column.openSecrets(ID, column.sealSecrets(ID, secrets, box), box)).toEqual(secrets);
    expect(column.openSecrets(ID, null, box)).toEqual({});
  });
});
