import fc from 'fast-check';
import { encodedRow } from '../../../test/doubles/encoded-row.js';
import { JsonWriter } from '../../lib/json/json-writer.js';
import {
  AliasField,
  BooleanField,
  ChoiceField,
  DateField,
  IntegerField,
  JsonField,
  StringField,
} from '../fields/fields.js';
import { Resource } from '../repositories/resource.js';
import { isoDate, RowShape, type Row } from './row-shape.js';

const options = { description: 'A test value.' };

class Thing extends Resource {
  @AliasField('thing') thingId: string;
  @StringField(options) name?: string;
  @ChoiceField(['red', 'blue'], options) color?: string;
  @BooleanField(options) isLarge?: boolean;
  @IntegerField(options) size?: number;
  @JsonField({}, options) content?: unknown;
  @DateField(options) lastSeenAt?: Date;
  @StringField({ ...options, column: false }) elsewhere?: string;
  hidden: string;
}

const ID = '575ec8687ae143cd83dc4a97';
const shape = new RowShape<Thing>(Thing);

/** Returns a row with values in the order of the shape's columns. */
function row(values: Partial<Record<string, string | null>>): Row {
  return shape.columns.split(', ').map((column) => values[column.slice(2)] ?? null);
}

describe('A row shape', () => {
  it('selects only the columns of the documented fields', () => {
    expect(shape.columns.split(', ').sort()).toEqual(
      [
        't.color',
        't.content',
        't.creation_date',
        't.id',
        't.id',
        't.is_large',
        't.last_seen_at',
        't.last_updated',
        't.name',
        't.size',
      ].sort(),
    );
  });

  it('replaces a column with a computed value of the same name', () => {
    const computed = new RowShape<Thing>(Thing, [
      { property: 'name', kind: 'text', sql: "'x'" },
      { property: 'elsewhere', kind: 'text', sql: 'lower(t.name)' },
    ]);
    expect(computed.columns).not.toContain('t.name,');
    expect(computed.columns.endsWith("'x', lower(t.name)")).toBe(true);
  });

  it('writes existing values and omits missing ones', () => {
    const values = row({ id: ID, name: 'a "quoted" \n name', is_large: 'f', size: '0', content: '[]' });
    expect(JSON.parse(shape.toJson(values))).toEqual({
      id: ID,
      thingId: ID,
      name: 'a "quoted" \n name',
      isLarge: false,
      size: 0,
      content: [],
    });
    expect(shape.toJson(row({}))).toBe('{}');
  });

  it('adds extra properties, even to an empty row', () => {
    expect(shape.toJson(row({}), { 'a "b"': '1', c: '{}' })).toBe('{"a \\"b\\"":1,"c":{}}');
    expect(JSON.parse(shape.toJson(row({ id: ID }), { summary: '{"n":1}' }))).toMatchObject({
      id: ID,
      summary: { n: 1 },
    });
  });

  it('converts dates to dates, but no other text that looks like one', () => {
    const object = shape.toObject(
      row({ last_seen_at: '2026-11-21 05:28:30.5+00', name: '2026-11-21 05:28:30+00' }),
    );
    expect(object.lastSeenAt).toEqual(new Date('2026-11-21T05:28:30.500Z'));
    expect(object.name).toBe('2026-11-21 05:28:30+00');
  });

  it('returns a property as text, and throws for one that is not selected', () => {
    expect(shape.text(row({ name: 'x' }), 'name')).toBe('x');
    expect(shape.text(row({}), 'name')).toBeNull();
    expect(() => shape.text(row({}), 'hidden')).toThrow('hidden is not selected');
  });

  it('writes the same JSON as the serialized object, for arbitrary values', () => {
    const time = fc
      .date({
        min: new Date('0001-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      })
      .map(postgresTime);
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
    const rows = fc.record({
      id: maybe(fc.constant(ID)),
      creation_date: maybe(time),
      last_updated: maybe(time),
      name: maybe(fc.string({ unit: 'binary' })),
      color: maybe(fc.constantFrom('red', 'blue')),
      is_large: maybe(fc.constantFrom('t', 'f')),
      size: maybe(fc.integer().map(String)),
      content: maybe(fc.json().map((json) => JSON.stringify(JSON.parse(json)))),
      last_seen_at: maybe(time),
    });
    fc.assert(
      fc.property(rows, (values) => {
        const json = shape.toJson(row(values));
        expect(json).toBe(JSON.stringify(shape.toObject(row(values))));
        expect(written(shape, row(values))).toBe(json);
        const more = { c: '{}', summary: '"ü"' };
        expect(written(shape, row(values), more)).toBe(shape.toJson(row(values), more));
      }),
    );
  });

  it('writes encoded rows with computed values as it writes texts', () => {
    const computed = new RowShape<Thing>(Thing, [
      { property: 'name', kind: 'text', sql: 't.name', write: (text) => `"${text}ü"` },
      { property: 'content', kind: 'json', sql: 't.content', write: (text) => text },
    ]);
    const values: Row = computed.columns.split(', ').map((column) => (column === 't.name' ? 'a' : null));
    expect(written(computed, values)).toBe('{"name":"aü"}');
    expect(computed.text(encodedRow(values), 'name')).toBe('a');
  });
});

/** Returns what a shape writes for an encoded row. */
function written(of: RowShape<Thing>, values: Row, more?: Record<string, string>): string {
  const out = new JsonWriter();
  of.writeJson(out, encodedRow(values), more);
  return Buffer.from(out.take(), 'latin1').toString();
}

describe('A PostgreSQL time', () => {
  it.each([
    ['2026-11-21 05:28:30.5+00', '2026-11-21T05:28:30.500Z'],
    ['2026-11-21 05:28:30.05+00', '2026-11-21T05:28:30.050Z'],
    ['2026-11-21 05:28:30.123+00', '2026-11-21T05:28:30.123Z'],
    ['2026-11-21 05:28:30.123456+00', '2026-11-21T05:28:30.123Z'],
    ['2026-11-21 05:28:30+00', '2026-11-21T05:28:30.000Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ])('%s becomes %s', (text, iso) => {
    expect(isoDate(text)).toBe(iso);
    expect(new Date(iso).toISOString()).toBe(iso);
  });
});

/** Formats a time as PostgreSQL does in UTC: without trailing zeros in its fraction. */
function postgresTime(date: Date): string {
  const [, day, time, fraction = ''] = /^(.{10})T(.{8})\.(\d{3})Z$/.exec(date.toISOString())!;
  const short = fraction.replace(/0+$/, '');
  return `${day} ${time}${short ? `.${short}` : ''}+00`;
}
