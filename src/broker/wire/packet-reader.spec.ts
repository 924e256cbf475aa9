import fc from 'fast-check';
import { generate } from 'mqtt-packet';
import { PacketReader, MAX_PAYLOAD_BYTES, type RawPacket } from './packet-reader.js';
import {
  connackPacket,
  CONNACK,
  PACKET,
  protocolOf,
  ProtocolError,
  publishPacket,
  pubackPacket,
  readConnect,
  readPacket,
  readPublish,
  subackPacket,
} from './packets.js';

const PACKETS = [
  generate({ cmd: 'connect', clientId: 'a', username: 'k', password: Buffer.from('s'), protocolVersion: 4 }),
  generate({ cmd: 'subscribe', messageId: 7, subscriptions: [{ topic: 'a/#', qos: 1 }] }),
  generate({
    cmd: 'publish',
    topic: 'a',
    payload: Buffer.alloc(300),
    qos: 1,
    messageId: 9,
    dup: false,
    retain: false,
  }),
  generate({ cmd: 'publish', topic: 'ä', payload: '', qos: 0, dup: false, retain: true }),
  generate({ cmd: 'unsubscribe', messageId: 8, unsubscriptions: ['a/#'] }),
  generate({ cmd: 'pingreq' }),
  generate({ cmd: 'disconnect' }),
];

/** Reads all packets from chunks of the given lengths. */
function read(bytes: Buffer, lengths: readonly number[]): RawPacket[] {
  const reader = new PacketReader();
  const packets: RawPacket[] = [];
  let at = 0;
  for (const length of [...lengths, bytes.length]) {
    if (at >= bytes.length) break;
    reader.push(bytes.subarray(at, at + length));
    at += length;
    for (let packet = reader.next(); packet; packet = reader.next()) packets.push(packet);
  }
  expect(reader.heldBytes).toBe(0);
  return packets;
}

const raw = (bytes: readonly number[]) => {
  const reader = new PacketReader();
  reader.push(Buffer.from(bytes));
  return reader.next();
};

describe('Packets', () => {
  it('are the same, however the bytes arrive', () => {
    const order = fc.array(fc.constantFrom(...PACKETS), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(order, fc.array(fc.integer({ min: 1, max: 40 })), (packets, lengths) => {
        const found = read(Buffer.concat(packets), lengths);
        expect(found.map(({ bytes }) => bytes)).toEqual(packets);
      }),
    );
  });

  it.each<[string, number[]]>([
    ['of the type 0', [0x00, 0]],
    ['of a server', [0x20, 2, 0, 0]],
    ['with other flags', [0x80, 5, 0, 1, 0, 1, 97, 0]],
    ['with a length of five bytes', [0x30, 0x80, 0x80, 0x80, 0x80, 0]],
    ['of the type 15', [0xf0, 0]],
    ['with a body that they must not have', [0xc0, 1, 0]],
    ['of QoS 2 that only its receiver sends', [0x62, 2, 0, 1]],
  ])('%s are refused', (_, bytes) => {
    expect(() => raw(bytes)).toThrow(new ProtocolError());
  });

  it('that are too long are refused before they arrive', () => {
    const length = (bytes: number) =>
      [1, 2, 3].map((n) => ((bytes >> (7 * (n - 1))) & 127) | (n < 3 ? 128 : 0));
    expect(() => raw([0x30, ...length(MAX_PAYLOAD_BYTES + 70_000)])).toThrow('Message too large');
    expect(() => raw([0x30, 0xff, 0xff, 0xff, 0x7f])).toThrow('Message too large');
    expect(() => raw([0x10, ...length(65_537)])).toThrow('Protocol error');
    expect(raw([0x30, ...length(MAX_PAYLOAD_BYTES)])).toBeUndefined();
    expect(raw([0x30, 0xff])).toBeUndefined();
  });

  it('do not take more memory in tiny chunks than in large ones', () => {
    const reader = new PacketReader();
    const packet = publishPacket('a', Buffer.alloc(MAX_PAYLOAD_BYTES, 7));
    let found: RawPacket | undefined;
    for (const byte of packet) {
      expect(found).toBeUndefined();
      reader.push(Buffer.from([byte]));
      found = reader.next();
    }
    expect(found!.bytes.equals(packet)).toBe(true);
    expect(reader['held']).toHaveLength(0);
  });
});

const contentOf = (bytes: Buffer) => {
  const { flags, body } = read(bytes, [])[0]!;
  return readPublish(flags, body);
};

describe('Messages', () => {
  it('are encoded as other software reads them, for any length', () => {
    for (const size of [0, 1, 120, 130, 16_370, 16_390, MAX_PAYLOAD_BYTES]) {
      const payload = Buffer.alloc(size, 3);
      const bytes = publishPacket('ä/b', payload);
      expect(bytes).toEqual(
        generate({ cmd: 'publish', topic: 'ä/b', payload, qos: 0, dup: false, retain: false }),
      );
      expect(contentOf(bytes)).toEqual({ topic: 'ä/b', payload });
    }
  });

  it('of QoS 1 have an ID', () => {
    expect(contentOf(PACKETS[2]!)).toEqual({ topic: 'a', payload: Buffer.alloc(300), messageId: 9 });
    expect(pubackPacket(0x1234)).toEqual(generate({ cmd: 'puback', messageId: 0x1234 }));
  });

  it.each<[string, number, number[]]>([
    ['are empty', 0, []],
    ['have a topic that is longer than the message', 0, [0, 9, 97]],
    ['have a topic that is no UTF-8', 0, [0, 2, 0xc3, 0x28]],
    ['have no ID', 2, [0, 1, 97, 0]],
    ['have the ID 0', 2, [0, 1, 97, 0, 0]],
    ['have both bits of QoS', 6, [0, 1, 97, 0, 1]],
  ])('that %s are refused', (_, flags, body) => {
    expect(() => readPublish(flags, Buffer.from(body))).toThrow('Protocol error');
  });

  it('of QoS 2 are not supported', () => {
    expect(() => readPublish(4, Buffer.from([0, 1, 97, 0, 1]))).toThrow('QoS 2 is not supported');
  });
});

describe('Other packets', () => {
  it('are read by the library, which sees one packet', () => {
    expect(readConnect(PACKETS[0]!)).toMatchObject({
      clientId: 'a',
      username: 'k',
      password: Buffer.from('s'),
    });
    expect(readPacket('subscribe', PACKETS[1]!).subscriptions).toEqual([{ topic: 'a/#', qos: 1 }]);
    expect(connackPacket(CONNACK.badCredentials)).toEqual(Buffer.from([0x20, 2, 0, 4]));
    expect(subackPacket(258, [0, 0x80])).toEqual(Buffer.from([0x90, 4, 1, 2, 0, 0x80]));
  });

  it('that are truncated anywhere are refused', () => {
    const [connect, subscribe] = PACKETS as [Buffer, Buffer];
    for (const [cmd, bytes] of [
      ['connect', connect],
      ['subscribe', subscribe],
    ] as const)
      for (let length = 2; length < bytes.length; length++) {
        const cut = Buffer.concat([
          bytes.subarray(0, 1),
          Buffer.from([length - 2]),
          bytes.subarray(2, length),
        ]);
        expect(() => readPacket(cmd, cut)).toThrow(ProtocolError);
      }
  });

  it('name the protocol and its version', () => {
    const bodyOf = (bytes: Buffer) => read(bytes, [])[0]!.body;
    expect(protocolOf(bodyOf(PACKETS[0]!))).toEqual({ name: 'MQTT', level: 4 });
    const old = { protocolId: 'MQIsdp', protocolVersion: 3 } as const;
    expect(protocolOf(bodyOf(generate({ cmd: 'connect', clientId: 'a', ...old })))).toEqual({
      name: 'MQIsdp',
      level: 3,
    });
    for (const body of [[], [0], [0, 0], [0, 4, 77], [0, 9, ...Buffer.alloc(10)], [0, 1, 77]])
      expect(() => protocolOf(Buffer.from(body))).toThrow(ProtocolError);
  });

  it('have the type that is expected', () => {
    expect(PACKET.connect << 4).toBe(PACKETS[0]![0]);
    expect(() => readPacket('subscribe', PACKETS[4]!)).toThrow(ProtocolError);
  });
});
