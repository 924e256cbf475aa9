import type { Attack } from './bodies.js';
import { filled, idsIn, requiredQuery, type Parameter, type Target } from './operations.js';
import type { Schemas } from './schemas.js';

const BAD_REQUEST = [400];
const NOT_FOUND = [404];
const UNAUTHORIZED = [401];
/** Statuses for paths that do not exist or are guarded. */
// Appending to `…/versions/delete` makes it the path of a version, which does not support POST.
const GUARDED = [400, 401, 404, 405];
const ID = '575ec8687ae143cd83dc4a97';

const NUMBERS = [
  '0x10',
  '1e3',
  '-1',
  '1.5',
  '99999999999999999999',
  ' 1',
  '+1',
  'NaN',
  'Infinity',
  '１',
  '1_0',
  '1\0',
];
const TEXTS = ['nope', '\0', 'a\0b', '__proto__', 'constructor', '%', "' OR 1=1--", '${1}', '‮'];
const MALFORMED_IDS = [
  ID.slice(1),
  `${ID}0`,
  `${ID.slice(1)}g`,
  '٣'.repeat(24),
  'ü',
  '0',
  '-1',
  'null',
  '[object Object]',
  `${ID}\0`,
  `${ID}\n`,
  ` ${ID}`,
  '../../me',
  '..',
  "' OR 1=1--",
  'a'.repeat(4_000),
];
/** Names that summaries do not have. The document declares them as text because there are too many to enumerate. */
const UNKNOWN_NAMES = ['nope', '__proto__', 'constructor', 'toString'];

/** Generates attacks on the query parameters of an operation. */
export function queryAttacks(target: Target, schemas: Schemas): Attack[] {
  return target.query.flatMap((parameter) => {
    const others = requiredQuery(
      target.query.filter((other) => other !== parameter),
      schemas,
    );
    return [
      ...valueAttacks(parameter, schemas),
      ...formAttacks(parameter, schemas),
      ...(parameter.required ? [attack('', `without ${parameter.name}`)] : []),
    ].map((one) => ({ ...one, query: [one.query, others].filter(Boolean).join('&') }));
  });
}

function valueAttacks({ name, schema }: Parameter, schemas: Schemas): Attack[] {
  const { type, maxLength, minimum } = schemas.resolve(schema) as {
    type?: string;
    maxLength?: number;
    minimum?: number;
  };
  const validate = schemas.validator(schema);
  const isNumber = type === 'integer' || type === 'number';
  // Times may be negative, which means relative to the present.
  const numbers = NUMBERS.filter((text) => text !== '-1' || !(minimum !== undefined && minimum < 0));
  const texts = isNumber
    ? [...numbers, ...TEXTS]
    : type === 'boolean'
      ? ['yes', '2', 'TRUEE', ...TEXTS]
      : TEXTS;
  // If the parameter is a time, a negative number is relative to the present.
  const isGood = (text: string) => /^-?\d{1,15}$/.test(text) && validate(Number(text));
  const refused = (text: string) =>
    (isNumber && !isGood(text)) || type === 'boolean' || text.includes('\0') || !validate(text);
  const named = name.startsWith('summary') ? UNKNOWN_NAMES : [];
  const long = maxLength === undefined ? [] : ['a'.repeat(maxLength + 1)];
  return [...texts.filter(refused), ...named, ...long].map((text) =>
    attack(`${name}=${encodeURIComponent(text)}`, `${name} is ${JSON.stringify(text).slice(0, 40)}`),
  );
}

/** Generates the parameter in forms that a bracket parser does not read as text; a list accepts some of them. */
function formAttacks({ name, schema }: Parameter, schemas: Schemas): Attack[] {
  const lists = [`${name}=1&${name}=1`, `${name}[]=1`, `${name}[0]=1`];
  const isList = schemas.validator(schema)(['1']);
  return [...(isList ? [] : lists), `${name}[$ne]=1`, `${name}[a][b][c][d][e][f]=1`].map((query) =>
    attack(query, query),
  );
}

const attack = (query: string, title: string): Attack => ({
  title: `query: ${title}`,
  expected: BAD_REQUEST,
  query,
});

/** Patterns of names in paths. */
const NAMES: Readonly<Record<string, RegExp>> = {
  bundleVersion: /^\w{1,255}$/,
  name: /^[\w-]{1,255}$/,
  experienceVersionIdOrName: /^[^\0]{1,255}$/,
};

/** Generates attacks on the IDs in an operation's path. A malformed ID may be a valid name, which is then not found. */
export function pathAttacks({ path }: Target, ids: Readonly<Record<string, string>>): Attack[] {
  return idsIn(path).flatMap((name) => {
    const put = (id: string) => filled(path, { ...ids, [name]: id });
    const expectedOf = (id: string) => (NAMES[name]?.test(id) ? NOT_FOUND : BAD_REQUEST);
    return [
      ...MALFORMED_IDS.map((id) => ({
        title: `${name} is ${JSON.stringify(id).slice(0, 40)}`,
        expected: expectedOf(id),
        path: put(encodeURIComponent(id).replaceAll('.', '%2e')),
      })),
      { title: `${name} is not percent-encoded`, expected: BAD_REQUEST, path: put('%zz') },
      { title: `${name} is half a character`, expected: BAD_REQUEST, path: put('%e0%a4') },
      {
        title: `${name} has a path parameter`,
        expected: expectedOf(`${ID};a=b`),
        path: put(`${ID};a=b`),
      },
      { title: `${name} is unknown`, expected: NOT_FOUND, path: put(ID) },
    ];
  });
}

/** Generates ways to call a guarded operation without a valid token. */
export function accessAttacks(target: Target, path: string, token: string): Attack[] {
  if (target.open) return [];
  const [head = '', payload = '', signature = ''] = token.split('.');
  const unsigned = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const values: (string | undefined)[] = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer  ',
    'Bearer null',
    'Bearer undefined',
    `Bearer ${token}x`,
    `Bearer ${head}.${payload}.`,
    `Bearer ${head}.${payload}`,
    `Bearer ${unsigned}.${payload}.`,
    `Bearer ${unsigned}.${payload}.${signature}`,
    `Bearer ${token.toLowerCase()}`,
    `Basic ${Buffer.from(`a:${token}`).toString('base64')}`,
    `Token ${token}`,
    token,
    'Bearer ' + 'a'.repeat(4_000),
    'Bearer \xff\xfe',
  ];
  const escaped = encodeURIComponent(token);
  const none = { authorization: undefined };
  return [
    ...values.map((authorization) => ({
      title: `Authorization is ${JSON.stringify(authorization)?.slice(0, 30)}`,
      expected: UNAUTHORIZED,
      headers: { authorization },
    })),
    {
      title: 'the token is in the query',
      expected: UNAUTHORIZED,
      headers: none,
      query: `access_token=${escaped}&token=${escaped}`,
    },
    {
      title: 'the token is in a cookie',
      expected: UNAUTHORIZED,
      headers: { ...none, cookie: `token=${token}; access_token=${token}` },
    },
    {
      title: 'the token is in other headers',
      expected: UNAUTHORIZED,
      headers: { ...none, 'x-access-token': token, 'proxy-authorization': `Bearer ${token}` },
    },
    {
      title: 'another path in rewrite headers',
      expected: UNAUTHORIZED,
      headers: { ...none, 'x-original-url': '/health', 'x-rewrite-url': '/health' },
    },
    { title: 'a trailing slash', expected: GUARDED, headers: none, path: `${path}/` },
    { title: 'two leading slashes', expected: GUARDED, headers: none, path: `/${path}` },
    { title: 'a path parameter', expected: GUARDED, headers: none, path: `${path};a=b` },
    { title: 'an uppercase path', expected: GUARDED, headers: none, path: path.toUpperCase() },
    { title: 'a parent directory', expected: GUARDED, headers: none, path: `/health/..${path}` },
    { title: 'an encoded parent directory', expected: GUARDED, headers: none, path: `/health/%2e%2e${path}` },
    { title: 'a leading dot', expected: GUARDED, headers: none, path: `/.${path}` },
    { title: 'a file extension', expected: GUARDED, headers: none, path: `${path}.json` },
    { title: 'a trailing NUL', expected: GUARDED, headers: none, path: `${path}%00` },
    { title: 'a documentation path', expected: GUARDED, headers: none, path: `/docs/..${path}` },
  ];
}

/** Generates attempts to run an operation with another verb than the one sent. */
export function verbAttacks(target: Target, path: string): Attack[] {
  const override = {
    'x-http-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-method-override': 'DELETE',
  };
  const quiet = { authorization: undefined };
  return [
    { title: 'an unsupported verb', expected: [405], method: 'PUT', path },
    { title: 'an unknown verb', expected: [405], method: 'PROPFIND', path },
    { title: 'OPTIONS', expected: [405], method: 'OPTIONS', path, headers: quiet },
    ...(target.open
      ? []
      : [
          {
            title: 'a verb override in a header',
            expected: UNAUTHORIZED,
            headers: { ...quiet, ...override },
          },
        ]),
    ...(target.method === 'GET'
      ? [
          {
            title: 'a verb override in a header, with a token',
            expected: 'survived' as const,
            headers: override,
            query: '_method=DELETE',
          },
        ]
      : []),
  ];
}
