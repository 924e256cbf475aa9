import { gzipSync } from 'node:zlib';
import type { Target } from './operations.js';
import { Schemas, type Json } from './schemas.js';
import type { Expected } from './verdict.js';

/** One hostile request: what differs from a good one, and what must come of it. */
export interface Attack {
  title: string;
  expected: Expected;
  body?: string | Buffer;
  /** In place of, or beside, `Content-Type: application/json` and the token. */
  headers?: Record<string, string | string[] | undefined>;
  method?: string;
  /** With ids filled in. */
  path?: string;
  /** Without the `?`. */
  query?: string;
}

const BAD_REQUEST = [400];
const TOO_LARGE = [413];
const UNSUPPORTED = [415];
/** Cases in which either rule can apply first: the size of a body or its contents. */
const EITHER = [400, 413];
const DEEP = 45_000;
const MOST_ITEMS = 60_000;
const VERY_MANY = 'very many values';
const KIB = 1024;
const MIB = KIB * KIB;
const BOMB = gzipSync(Buffer.alloc(16 * MIB, ' '));

/** A value that JSON has no text for elsewhere, put where `MARK` stands. */
const MARK = '\u2063mark\u2063';
const JSON_MARK = JSON.stringify(MARK);

/** Values of every type and of odd forms; those that a schema allows are no attack on it. */
const VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e21,
  '',
  'text',
  'ü💥',
  '0x10',
  '2026-02-30T25:61:00Z',
  'a'.repeat(200_000),
  true,
  [],
  [null],
  ['text'],
  [[]],
  {},
  { $ne: null },
  { toString: 'text' },
  { length: 1 },
];

/** Raw JSON, as Latin-1, that nothing may take for a value, whatever the schema says. */
const POISONS: readonly (readonly [string, string, Expected])[] = [
  ['45,000 arrays deep', '['.repeat(DEEP) + ']'.repeat(DEEP), EITHER],
  ['45,000 objects deep', '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP), EITHER],
  ['a NUL character', '"a\\u0000b"', BAD_REQUEST],
  ['half a surrogate pair', '"a\\ud800b"', BAD_REQUEST],
  ['the other half', '"a\\udc00b"', BAD_REQUEST],
  ['__proto__ within', '{"__proto__":{"admin":true}}', BAD_REQUEST],
  ['constructor within', '{"constructor":{"prototype":{"admin":true}}}', BAD_REQUEST],
  [VERY_MANY, `[${'0,'.repeat(MOST_ITEMS)}0]`, EITHER],
  ['a number beyond numbers', '1e400', BAD_REQUEST],
  ['bytes that are no UTF-8', '"\xff\xfe"', BAD_REQUEST],
];

const STRANGE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '$where',
  'id',
  '_id',
];

/** Attacks on the body of an operation, from the schema that the document has for it. */
export function bodyAttacks(target: Target, schemas: Schemas): Attack[] {
  if (!target.body) return [];
  const sample = schemas.sample(target.body);
  const valid = JSON.stringify(sample);
  const limit = mostBytes(target);
  return [
    ...rootAttacks(target.body, schemas),
    ...schemaAttacks(target.body, sample, schemas),
    ...formatAttacks(valid, limit).filter(({ body }) => target.needsBody || (body?.length ?? 0) > 0),
  ].map((attack) =>
    Buffer.byteLength(attack.body ?? '') > limit ? { ...attack, expected: TOO_LARGE } : attack,
  );
}

/** How large a body may be: less where nobody is known. */
function mostBytes({ id, open }: Target): number {
  if (open) return 128 * KIB;
  return id === 'flows.import' ? 10 * MIB : MIB;
}

/** In place of the whole body. */
function rootAttacks(schema: Json, schemas: Schemas): Attack[] {
  const validate = schemas.validator(schema);
  return [
    ...VALUES.filter((value) => !validate(value)).map((value) => ({
      title: `the body is ${brief(value)}`,
      expected: BAD_REQUEST,
      body: JSON.stringify(value),
    })),
    ...POISONS.map(([title, raw, expected]) => ({
      title: `the body is ${title}`,
      expected,
      body: Buffer.from(raw, 'latin1'),
    })),
  ];
}

/** One wrong thing in an otherwise good body: each place of the schema in turn. */
function schemaAttacks(schema: Json, sample: unknown, schemas: Schemas): Attack[] {
  const whole = schemas.validator(schema);
  return placesOf(schema, sample, schemas).flatMap(({ at, put, schema: place, poisonous }): Attack[] => {
    const wrong = [...VALUES, ...beyond(place)].filter((value) => !whole(put(value)));
    const attacks = wrong.map((value) => ({
      title: `${at} is ${brief(value)}`,
      expected: BAD_REQUEST,
      body: JSON.stringify(put(value)),
    }));
    if (!poisonous) return attacks;
    const [before = '', after = ''] = JSON.stringify(put(MARK)).split(JSON_MARK);
    const withRaw = (raw: string) =>
      Buffer.concat([Buffer.from(before), Buffer.from(raw, 'latin1'), Buffer.from(after)]);
    // Where any JSON may stand, so may much of it.
    const poisons = whole(put([0])) ? POISONS.filter(([title]) => title !== VERY_MANY) : POISONS;
    return [
      ...attacks,
      ...poisons.map(([title, raw, expected]) => ({
        title: `${at} is ${title}`,
        expected,
        body: withRaw(raw),
      })),
    ];
  });
}

export interface Place {
  /** Where, for a reader. */
  at: string;
  schema: Json;
  /** The whole body with a value at this place. */
  put: (value: unknown) => unknown;
  /** Whether to try what no place may hold. */
  poisonous: boolean;
}

/**
 * Every property of a schema, to the last, and for each object a property that it does not have. A schema within itself is
 * entered once; `above` are those that this one stands in.
 */
export function placesOf(
  given: Json,
  sample: unknown,
  schemas: Schemas,
  at = 'body',
  above: readonly Json[] = [],
): Place[] {
  const schema = schemas.resolve(given);
  const poisonous = above.length < 2;
  const below = [...above, schema];
  if (schema.properties) {
    if (above.some(({ properties }) => properties === schema.properties)) return [];
    const properties = Object.entries(schema.properties as Record<string, Json>);
    const strange = STRANGE_KEYS.filter((key) => !properties.some(([name]) => name === key));
    const known = sample as Json;
    return [
      ...strange.map((key) => ({
        at: `${at}.${key}`,
        schema: {},
        put: (value: unknown) => ({ ...known, ...ownProperty(key, value) }),
        poisonous: false,
      })),
      ...properties.flatMap(([name, property]): Place[] => {
        const put = (value: unknown) => ({ ...known, [name]: value });
        const within = placesOf(property, schemas.sample(property), schemas, `${at}.${name}`, below);
        return [
          { at: `${at}.${name}`, schema: schemas.resolve(property), put, poisonous },
          ...within.map((place) => ({ ...place, put: (value: unknown) => put(place.put(value)) })),
        ];
      }),
    ];
  }
  if (!schema.items) return [];
  const item = schemas.sample(schema.items as Json);
  const put = (value: unknown) => [value];
  return [
    { at: `${at}[0]`, schema: schemas.resolve(schema.items as Json), put, poisonous },
    ...placesOf(schema.items as Json, item, schemas, `${at}[0]`, below).map((place) => ({
      ...place,
      put: (value: unknown) => put(place.put(value)),
    })),
  ];
}

/** An object that really has the key, even `__proto__`. */
function ownProperty(key: string, value: unknown): Json {
  return JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as Json;
}

/** Values just past what a schema allows. */
function beyond(schema: Json): unknown[] {
  const { minimum, maximum, minLength, maxLength, maxItems, items } = schema as Record<string, number> & Json;
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(minLength ? ['a'.repeat(minLength - 1)] : []),
    ...(maxLength === undefined ? [] : ['a'.repeat(maxLength + 1)]),
    ...(maxItems === undefined || !items ? [] : [Array.from({ length: maxItems + 1 }, () => ({}))]),
    ...(schema.uniqueItems ? [['all.User', 'all.User']] : []),
  ];
}

/** A body in another format than JSON of a fair size, which is `limit` bytes. */
function formatAttacks(valid: string, limit: number): Attack[] {
  const typed = (type: string | undefined) => ({ 'content-type': type });
  const encoded = (encoding: string) => ({ 'content-encoding': encoding });
  const multipart = '--b\r\ncontent-disposition: form-data; name="name"\r\n\r\na\r\n--b--\r\n';
  const padded = valid.replace(/.$/, (last) => ' '.repeat(limit) + last);
  return [
    {
      title: 'a form',
      expected: UNSUPPORTED,
      body: 'name=a',
      headers: typed('application/x-www-form-urlencoded'),
    },
    { title: 'plain text', expected: UNSUPPORTED, body: valid, headers: typed('text/plain') },
    { title: 'no type', expected: UNSUPPORTED, body: valid, headers: typed(undefined) },
    { title: 'a type that is none', expected: UNSUPPORTED, body: valid, headers: typed('json') },
    {
      title: 'multipart',
      expected: UNSUPPORTED,
      body: multipart,
      headers: typed('multipart/form-data; boundary=b'),
    },
    { title: 'XML', expected: UNSUPPORTED, body: '<a/>', headers: typed('application/xml') },
    { title: 'UTF-7', expected: UNSUPPORTED, body: valid, headers: typed('application/json; charset=utf-7') },
    {
      title: 'Latin-1',
      expected: UNSUPPORTED,
      body: valid,
      headers: typed('application/json; charset=latin1'),
    },
    { title: 'UTF-16', expected: EITHER.concat(UNSUPPORTED), body: Buffer.from(valid, 'utf16le') },
    { title: 'half a body', expected: BAD_REQUEST, body: valid.slice(0, -1) },
    { title: 'a body and more', expected: BAD_REQUEST, body: `${valid}]` },
    { title: 'two bodies', expected: BAD_REQUEST, body: `${valid}${valid}` },
    { title: 'a comment', expected: BAD_REQUEST, body: `/**/${valid}` },
    { title: 'NaN', expected: BAD_REQUEST, body: 'NaN' },
    { title: 'no body', expected: BAD_REQUEST, body: undefined },
    { title: 'an empty body', expected: BAD_REQUEST, body: '' },
    { title: 'blanks', expected: BAD_REQUEST, body: '   ' },
    { title: 'more than the limit', expected: TOO_LARGE, body: padded.concat(' '.repeat(MIB / 10)) },
    { title: 'a bomb', expected: TOO_LARGE, body: BOMB, headers: encoded('gzip') },
    { title: 'gzip that is none', expected: BAD_REQUEST, body: valid, headers: encoded('gzip') },
    { title: 'an unknown encoding', expected: UNSUPPORTED, body: valid, headers: encoded('compress') },
    {
      title: 'UTF-16, as it says',
      expected: UNSUPPORTED,
      body: Buffer.from(valid, 'utf16le'),
      headers: typed('application/json; charset=utf-16'),
    },
  ];
}

function brief(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
