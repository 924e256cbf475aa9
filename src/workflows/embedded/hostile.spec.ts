import fc from 'fast-check';
import { TALKATIVE } from '../../../test/suites/embedded/bundle.js';
import { hostileBundle } from '../../../test/suites/embedded/hostile-flows.js';
import { Host } from '../../../test/suites/embedded/host.js';
import { compile } from './compile.js';

// Compilation and this many runs take a while on a busy machine.
jest.setTimeout(120_000);

let module: Uint8Array;
beforeAll(async () => {
  ({ module } = await compile(hostileBundle(), TALKATIVE));
});

function started(topicLength = 256, payloadLength = 4096): Host {
  const host = new Host(module);
  host.exports.eea_config_set_trace_level!(2);
  host.exports.eea_config_set_message_buffer_lengths!(topicLength, payloadLength);
  host.exports.eea_config_set_storage_size!(100_000);
  host.exports.eea_init!();
  return host;
}

const CODES = [0, 1, 18];

/** Passes the payload to every kind of trigger and waits until all runs have finished. */
function suffer(host: Host, payload: Uint8Array, name: Uint8Array | string = 'x'): void {
  const press = Buffer.concat([Buffer.from('{"key":"press","payload":'), payload, Buffer.from('}')]);
  const answers = [
    host.receive(Buffer.concat([Buffer.from('hostile/'), Buffer.from(name)]), payload),
    host.receiveOwn('command', payload),
    host.receiveOwn('toAgent/virtualButton', payload),
    host.receiveOwn('toAgent/virtualButton', press),
    host.direct('hostile', payload),
    host.direct(Buffer.from(name), payload),
  ];
  for (const answer of answers) expect(CODES).toContain(answer);
  expect(CODES).toContain(host.settle());
  host.sent.length = 0;
  host.traced.length = 0;
}

/** Asserts that the module still works normally. */
function isWell(host: Host): void {
  host.sent.length = 0;
  expect(host.direct('hostile', { a: 'well', b: 2 })).toBe(0);
  expect(host.settle()).toBe(0);
  const messages = host.debugged.map(({ message }) => message as string);
  expect(messages).toContain('well');
  expect(messages).toContain('end');
}

const pages = (host: Host): number => host.memory.buffer.byteLength / 65_536;

const DEEP = [1, 126, 127, 128, 129, 1300].flatMap((depth) => [
  '['.repeat(depth) + ']'.repeat(depth),
  '{"a":'.repeat(depth) + '1' + '}'.repeat(depth),
  '['.repeat(depth),
]);
const HOSTILE = [
  ...[
    '',
    ' ',
    '\0',
    'null',
    'true',
    '0',
    '-0',
    '""',
    '[]',
    '{}',
    '{',
    '"',
    '"\\',
    '"\\u',
    '[,]',
    '{"a"}',
    '-',
    '1e',
    '1.',
    'NaN',
  ],
  ...[
    '1e400',
    '-1e400',
    '1e-400',
    '9'.repeat(4000),
    `0.${'0'.repeat(4000)}1`,
    `1e${'9'.repeat(4000)}`,
    '5e-324',
    '1.7976931348623159e308',
  ],
  ...[
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '{"\\ud800":"\\udfff"}',
    '{"a":"\\ud83d","b":"\\ude00"}',
    '{"a":"\\u0000"}',
  ],
  ...[
    '{"__proto__":{"a":1},"a":{"__proto__":2}}',
    '{"constructor":{"prototype":{"a":1}}}',
    '{"length":-1,"a":{"length":1e9}}',
  ],
  ...[
    '{"":{"":""}}',
    '{"a":1,"a":2}',
    '[1,[2,[3,[4]]],{"a":[]}]',
    '[1e9,-1,0.5,"x",null,{"a":1},{"a":1}]',
    '{"a":{"b":1e308},"b":"1e308"}',
  ],
  ...[
    '2000',
    '262145',
    '-5',
    '1e300',
    '"' + 'x'.repeat(4000) + '"',
    `[${'1,'.repeat(1900)}1]`,
    `{"a":"t/#","b":true}`,
    `{"a":"+/$"}`,
  ],
  ...DEEP,
].map((text) => Buffer.from(text));
const NO_UTF8 = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98],
  [0x80],
  [0xef, 0xbb, 0xbf, 0x31],
];

describe('hostile input', () => {
  it('does not break the module, whatever the payload', () => {
    const host = started();
    for (const payload of HOSTILE) suffer(host, payload);
    for (const bytes of NO_UTF8) {
      const text = Buffer.from(bytes);
      suffer(host, text, text);
      suffer(
        host,
        Buffer.concat([Buffer.from('{"a":"'), text, Buffer.from('","b":["'), text, Buffer.from('"]}')]),
        text,
      );
    }
    isWell(host);
    expect(pages(host)).toBeLessThan(200);
  });

  it('does not break the module if it is random bytes', () => {
    const host = started();
    const json = fc.json({ depthSize: 'medium' }).map((text) => Buffer.from(text));
    const spoilt = fc
      .tuple(json, fc.nat(), fc.integer({ min: 0, max: 255 }))
      .map(([bytes, at, byte]) => (bytes.fill(byte, at % bytes.length, (at % bytes.length) + 1), bytes));
    const input = fc.oneof(fc.uint8Array({ maxLength: 60 }), json, spoilt);
    fc.assert(
      fc.property(input, fc.uint8Array({ maxLength: 20 }), (payload, name) => suffer(host, payload, name)),
      {
        numRuns: 40,
      },
    );
    isWell(host);
  });

  it('is accepted up to the size of the buffers and rejected beyond it', () => {
    const size = 8_192;
    const host = started(size, size);
    for (const part of ['[', '{"a":', '1e-300,', '"\\u0000",', '9']) {
      const inner = part.repeat(size / part.length);
      suffer(host, Buffer.from(inner));
      suffer(host, Buffer.from(`[${inner.slice(0, size - 2).replace(/,[^,]*$/, '')}]`));
    }
    suffer(host, Buffer.alloc(size, 0xff), Buffer.alloc(size - 8, 0xff));
    expect(host.receive('hostile/x', Buffer.alloc(size + 1))).toBe(1);
    expect(host.receive(Buffer.alloc(size + 1), '')).toBe(1);
    isWell(host);
  });

  it('is rejected if a length is negative or beyond the buffers', () => {
    const host = started();
    for (const name of ['eea_message_received', 'eea_direct_trigger'])
      for (const [topic, payload] of [
        [-1, 0],
        [0, -1],
        [257, 0],
        [0, 4097],
        [2 ** 31 - 1, 2 ** 31 - 1],
        [-(2 ** 31), 0],
      ] as const)
        expect(host.exports[name]!(topic, payload)).toBe(1);
    isWell(host);
  });

  it('is limited in the queue, even if the messages are small, so that memory stays small', () => {
    const host = started();
    let accepted = 0;
    while (accepted < 200_000 && host.direct('hostile', '') === 0) accepted++;
    expect(accepted).toBeGreaterThan(100);
    expect(accepted).toBeLessThan(200_000);
    expect(pages(host)).toBeLessThan(200);
  });

  it('can be read back from storage, however deeply nested', () => {
    const host = started();
    host.exports.eea_config_set_storage_interval!(1);
    const depth = 128;
    expect(host.direct('hostile', '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1))).toBe(0);
    host.settle();
    expect(host.exports.eea_shutdown!()).toBe(0);
    const next = new Host(module, { stored: host.stored! });
    next.exports.eea_config_set_storage_interval!(1);
    expect(next.exports.eea_init!()).toBe(0);
    expect(next.exports.eea_shutdown!()).toBe(0);
    expect(next.stored).toBe(host.stored);
  });
});
