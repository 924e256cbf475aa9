import { DeclaredSecrets } from './declared-secrets.js';

const secret = { type: 'string', format: 'password' };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const objectOf = (properties: object) => ({ type: 'object', properties });

describe('Secrets that a schema declares', () => {
  it.each<[string, object, object, (secrets: DeclaredSecrets) => DeclaredSecrets]>([
    ['in a property', objectOf({ a: secret }), {}, (found) => found.member('a')],
    ['that are never answered', objectOf({ a: { writeOnly: true } }), {}, (found) => found.member('a')],
    ['in items', { type: 'array', items: secret }, {}, (found) => found.item()],
    ['under any name', { additionalProperties: secret }, {}, (found) => found.member('x')],
    ['behind a reference', objectOf({ a: ref('A') }), { A: secret }, (found) => found.member('a')],
    ['in a wrapper', { allOf: [ref('A')] }, { A: objectOf({ b: secret }) }, (found) => found.member('b')],
    [
      'in one of the alternatives',
      { oneOf: [objectOf({ b: {} }), objectOf({ b: secret })] },
      {},
      (found) => found.member('b'),
    ],
    [
      'in a schema within itself',
      ref('A'),
      { A: objectOf({ a: { items: ref('A') }, b: secret }) },
      (found) => found.member('a').item().member('a').item().member('b'),
    ],
  ])('are found %s', (_where, schema, components, find) => {
    const secrets = DeclaredSecrets.in(schema as never, components as never)!;
    expect(find(secrets).secret).toBe(true);
    expect(secrets.secret).toBe(false);
    expect(secrets.member('other').member('toString').secret).toBe(false);
  });

  it('are absent if the schema has none, even if it is recursive', () => {
    const components = { A: objectOf({ a: ref('A'), format: { type: 'string' } }) };
    expect(DeclaredSecrets.in(ref('A'), components)).toBeUndefined();
  });
});
