import { gzipSync } from 'node:zlib';
import type { Target } from './operations.js';
import { Schemas, type Json } from './schemas.js';
import type { Expected } from './verdict.js';

/** A hostile request: its difference from a valid one, and the expected outcome. */
export interface Attack {
  title: string;
  expected: Expected;
  body?: string | Buffer;
  /** Replaces or supplements `Content-Type: application/json` and the token. */
  headers?: Record<string, string | string[] | undefined>;
  method?: string;
  /** Path with IDs filled in. */
  path?: string;
  /** Query without the `?`. */
  query?: string;
}

const BAD_REQUEST = [400];
const TOO_LARGE = [413];
const UNSUPPORTED = [415];
/** Either check may apply first: the size of a body, or its content. */
const EITHER = [400, 413];
const DEEP = 45_000;
const MAX_ITEMS = 60_000;
const VERY_MANY = 'very many values';
const KIB = 1024;
const MIB = KIB * KIB;
const BOMB = gzipSync(Buffer.alloc(16 * MIB, ' '));

/** Placeholder for raw JSON that cannot be written as a JavaScript value. */
const MARK = '\u2063mark\u2063';
const JSON_MARK = JSON.stringify(MARK);

/** Values of every type and of unusual forms; values that are valid for a schema are skipped. */
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

/** Raw JSON, as Latin-1, that must be rejected regardless of the schema. */
const POISONS: readonly (readonly [string, string, Expected])[] = [
  ['45,000 arrays deep', '['.repeat(DEEP) + ']'.repeat(DEEP), EITHER],
  ['45,000 objects deep', '{"a":'.repeat(DEEP) + '1' + '}'.repeat(DEEP), EITHER],
  ['a NUL character', '"a\\u0000b"', BAD_REQUEST],
  ['an unpaired high surrogate', '"a\\ud800b"', BAD_REQUEST],
  ['an unpaired low surrogate', '"a\\udc00b"', BAD_REQUEST],
  ['__proto__ within', '{"__proto__":{"admin":true}}', BAD_REQUEST],
  ['constructor within', '{"constructor":{"prototype":{"admin":true}}}', BAD_REQUEST],
  [VERY_MANY, `[${'0,'.repeat(MAX_ITEMS)}0]`, EITHER],
  ['a number out of range', '1e400', BAD_REQUEST],
  ['bytes that are not UTF-8', '"\xff\xfe"', BAD_REQUEST],
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

/** Generates attacks on the body of an operation from its schema in the document. */
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

/** Returns the maximum body size in bytes, which is lower for anonymous callers. */
function mostBytes({ id, open }: Target): number {
  if (open) return 128 * KIB;
  return id === 'flows.import' ? 10 * MIB : MIB;
}

/** Generates attacks that replace the whole body. */
function rootAttacks(schema: Json, schemas: Schemas): Attack[] {
  const validate = schemas.validator(schema);
  return [
    ...VALUES.filter((value) => !validate(value)).map((value) => ({
      title: `the body is ${summarize(value)}`,
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

/** Generates bodies with one fault each, in every place of the schema. */
function schemaAttacks(schema: Json, sample: unknown, schemas: Schemas): Attack[] {
  const whole = schemas.validator(schema);
  return placesOf(schema, sample, schemas).flatMap(({ at, put, schema: place, poisonous }): Attack[] => {
    const wrong = [...VALUES, ...beyond(place)].filter((value) => !whole(put(value)));
    const attacks = wrong.map((value) => ({
      title: `${at} is ${summarize(value)}`,
      expected: BAD_REQUEST,
      body: JSON.stringify(put(value)),
    }));
    if (!poisonous) return attacks;
    const [before = '', after = ''] = JSON.stringify(put(MARK)).split(JSON_MARK);
    const withRaw = (raw: string) =>
      Buffer.concat([Buffer.from(before), Buffer.from(raw, 'latin1'), Buffer.from(after)]);
    // Skips very many values if any JSON is allowed there.
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
  /** Location for readers. */
  at: string;
  schema: Json;
  /** Returns the whole body with a value at this place. */
  put: (value: unknown) => unknown;
  /** Whether to try values that no place may hold. */
  poisonous: boolean;
}

/**
 * Returns every property of a schema, and for each object an undeclared property. A recursive schema is entered once;
 * `above` are the schemas that contain this one.
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

/** Creates an object with the key as an own property, even `__proto__`. */
function ownProperty(key: string, value: unknown): Json {
  return JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`) as Json;
}

/** Returns values just outside the limits of a schema. */
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

/** Generates bodies in a format other than JSON or of excessive size; the limit is `limit` bytes. */
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
    { title: 'an invalid type', expected: UNSUPPORTED, body: valid, headers: typed('json') },
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
    { title: 'invalid gzip', expected: BAD_REQUEST, body: valid, headers: encoded('gzip') },
    { title: 'an unknown encoding', expected: UNSUPPORTED, body: valid, headers: encoded('compress') },
    {
      title: 'declared UTF-16',
      expected: UNSUPPORTED,
      body: Buffer.from(valid, 'utf16le'),
      headers: typed('application/json; charset=utf-16'),
    },
  ];
}

function summarize(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}… (${text.length})` : text;
}
