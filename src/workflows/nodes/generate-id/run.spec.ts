import { runNode } from '../../../../test/doubles/run-node.js';
import { generateIdNode } from './index.js';

const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
const UUID = (version: number): RegExp =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);

const generate = async (config: object, payload = {}): Promise<string> =>
  ((await runNode(generateIdNode, { destinationPath: 'id', ...config }, payload)).payload as { id: string })
    .id;

describe('GenerateIdNode', () => {
  it.each([
    [{}, UUID(4)],
    [{ idTypeTemplate: '{{type}}' }, /^[\w-]{21}$/],
    [{ idTypeTemplate: 'UUIDv1' }, UUID(1)],
    [{ idTypeTemplate: 'objectId' }, /^[0-9a-f]{24}$/],
    [{ idTypeTemplate: 'nanoid', numCharactersTemplate: 256 }, /^[\w-]{256}$/],
    [{ idTypeTemplate: 'nanoid', numCharactersTemplate: '{{none}}' }, /^[\w-]{21}$/],
  ])('generates different IDs with %j', async (config, form) => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => generate(config, { type: 'NanoID' })));
    for (const id of ids) expect(id).toMatch(form);
    expect(new Set(ids).size).toBe(20);
  });

  it.each([
    ['uuidv3', '5df41881-3aed-3515-88a7-2f4a814cf09e'],
    ['uuidv5', '2ed6657d-e927-568b-95e1-2665a8aea6a2'],
  ])('generates the standard %s of a name', async (idTypeTemplate, id) => {
    const config = { idTypeTemplate, namespaceTemplate: DNS.toUpperCase(), valueTemplate: '{{name}}' };
    expect(await generate(config, { name: 'www.example.com' })).toBe(id);
  });

  it('generates time-based UUIDs of the current time', async () => {
    const [low, middle, high] = (await generate({ idTypeTemplate: 'uuidv1' })).split('-');
    const time = BigInt(`0x${high!.slice(1)}${middle}${low}`);
    const milliseconds = Number((time - 122_192_928_000_000_000n) / 10_000n);
    expect(Math.abs(Date.now() - milliseconds)).toBeLessThan(600_000);
  });

  it.each([
    [{ idTypeTemplate: 'cuid' }, 'idTypeTemplate must be one of'],
    [{ idTypeTemplate: 'uuidv5', valueTemplate: 'a' }, 'namespaceTemplate is required'],
    [
      { idTypeTemplate: 'uuidv5', namespaceTemplate: 'a', valueTemplate: 'a' },
      'namespaceTemplate must be a UUID',
    ],
    [{ idTypeTemplate: 'uuidv3', namespaceTemplate: DNS }, 'valueTemplate is required'],
    [{ idTypeTemplate: 'nanoid', numCharactersTemplate: '0' }, 'numCharactersTemplate must be an integer'],
    [{ idTypeTemplate: 'nanoid', numCharactersTemplate: 257 }, 'numCharactersTemplate must be an integer'],
    [{ idTypeTemplate: 'nanoid', numCharactersTemplate: 'x' }, 'numCharactersTemplate must be an integer'],
    [{ destinationPath: '' }, 'destinationPath is required'],
  ])('fails with %j', async (config, message) => {
    await expect(generate(config)).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    });
  });
});
