import { ApiSchema, PickType } from '@nestjs/swagger';
import { BooleanField, JsonField, StringField } from './fields.js';

const METADATA = 'swagger/apiModelProperties';

/** Returns the documented schema of a property. */
const shown = (type: { prototype: object }, property: string): Record<string, unknown> =>
  Reflect.getMetadata(METADATA, type.prototype, property) as Record<string, unknown>;

const facts = { column: false, description: 'A.' } as const;

describe('a field', () => {
  it('documents secrets as such, including in derived classes', () => {
    @ApiSchema({ name: 'Secretive' })
    class Secretive {
      @StringField({ ...facts, secret: true, maxLength: 8 })
      pin: string;

      @JsonField({ title: 'Pins', type: 'object', properties: {} }, { ...facts, secret: true })
      pins: object;

      @BooleanField(facts)
      open: boolean;
    }
    class Picked extends PickType(Secretive, ['pin', 'pins']) {}
    for (const type of [Secretive, Picked]) {
      expect(shown(type, 'pin')).toMatchObject({ type: 'string', format: 'password', maxLength: 8 });
      expect(shown(type, 'pins')).toMatchObject({ allOf: [{ title: 'Pins' }], writeOnly: true });
    }
    expect(shown(Secretive, 'open')).not.toHaveProperty('format');
  });

  it.each<[string, () => PropertyDecorator, string]>([
    [
      'loses the members that its schema requires',
      () => JsonField({ type: 'object', properties: { a: {} }, required: ['a'] }, facts),
      'Note.text: a schema with required members needs a title',
    ],
    [
      'is a secret and has a format',
      () => StringField({ ...facts, secret: true, format: 'email' }),
      'Note.text: a secret has no format of its own',
    ],
  ])('throws at load time if it %s', (_what, decorator, message) => {
    class Note {}
    expect(() => decorator()(Note.prototype, 'text')).toThrow(message);
  });

  it('accepts required members in schemas with a title, and arrays of them', () => {
    const item = { title: 'Item', type: 'object', required: ['a'], properties: { a: {} } };
    class Note {}
    for (const schema of [item, { type: 'array', items: item }])
      expect(() => JsonField(schema, facts)(Note.prototype, 'text')).not.toThrow();
  });
});
