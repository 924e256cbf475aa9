import { isUtf8 } from 'node:buffer';
import { generate, parser, type IConnectPacket, type Packet } from 'mqtt-packet';

/** Types of the packets that clients send, from the first four bits. */
export const PACKET = {
  connect: 1,
  publish: 3,
  puback: 4,
  subscribe: 8,
  unsubscribe: 10,
  pingreq: 12,
  disconnect: 14,
} as const;

/** Return codes of a CONNACK. Clients repeat the connection only after `unavailable`. */
export const CONNACK = {
  accepted: 0,
  unacceptableProtocol: 1,
  identifierRejected: 2,
  unavailable: 3,
  badCredentials: 4,
  notAuthorized: 5,
} as const;
export type ConnackCode = (typeof CONNACK)[keyof typeof CONNACK];

/** Return code of a SUBACK for a filter that is refused. */
export const SUBSCRIPTION_REFUSED = 0x80;

/** A client does not follow the protocol or exceeds a limit. The message is the reason of the disconnection. */
export class ProtocolError extends Error {
  constructor(message = 'Protocol error') {
    super(message);
  }
}

/** Message as published by a client. */
export interface PublishPacket {
  topic: string;
  payload: Buffer;
  /** ID to acknowledge; `undefined` for QoS 0. */
  messageId?: number;
}

/** Name and level of the protocol that a client asks for, from the body of its CONNECT. */
export interface ProtocolVersion {
  name: string;
  level: number;
}

/** Reads the protocol of a CONNECT, whose further format depends on it. */
export function protocolOf(body: Buffer): ProtocolVersion {
  const length = body.length < 2 ? 0 : body.readUInt16BE(0);
  const level = body[2 + length];
  if (length === 0 || length > 6 || level === undefined) throw new ProtocolError();
  return { name: body.toString('latin1', 2, 2 + length), level };
}

/** Reads a PUBLISH. `flags` are the last four bits of its first byte. */
export function readPublish(flags: number, body: Buffer): PublishPacket {
  const qos = (flags >> 1) & 3;
  if (qos > 1) throw new ProtocolError(qos === 2 ? 'QoS 2 is not supported' : undefined);
  const topicEnd = body.length < 2 ? Infinity : 2 + body.readUInt16BE(0);
  const end = topicEnd + (qos > 0 ? 2 : 0);
  if (end > body.length) throw new ProtocolError();
  const topic = body.subarray(2, topicEnd);
  if (!isUtf8(topic) || topic.includes(0)) throw new ProtocolError();
  const payload = body.subarray(end);
  if (qos === 0) return { topic: topic.toString(), payload };
  const messageId = body.readUInt16BE(topicEnd);
  if (messageId === 0) throw new ProtocolError();
  return { topic: topic.toString(), payload, messageId };
}

/** Reads a CONNECT of MQTT 3.1.1, or a SUBSCRIBE or UNSUBSCRIBE. `bytes` is exactly one packet. */
export function readPacket<C extends Packet['cmd']>(cmd: C, bytes: Buffer): Extract<Packet, { cmd: C }> {
  let found: Packet | undefined;
  const reader = parser();
  reader.on('packet', (packet: Packet) => (found = packet));
  reader.on('error', () => undefined);
  try {
    reader.parse(bytes);
  } catch {
    // The parser throws on some truncated packets.
  }
  if (found?.cmd !== cmd || listOf(found)?.length === 0) throw new ProtocolError();
  return found as Extract<Packet, { cmd: C }>;
}

/** Returns the filters of a packet, which must have some. */
const listOf = (packet: Packet): readonly unknown[] | undefined =>
  packet.cmd === 'subscribe'
    ? packet.subscriptions
    : packet.cmd === 'unsubscribe'
      ? packet.unsubscriptions
      : undefined;

/** Reads a CONNECT of MQTT 3.1.1. */
export const readConnect = (bytes: Buffer): IConnectPacket => readPacket('connect', bytes);

/** Encodes a message for a subscriber, with QoS 0. */
export function publishPacket(topic: string, payload: Buffer): Buffer {
  const topicLength = Buffer.byteLength(topic);
  const length = 2 + topicLength + payload.length;
  const lengthBytes = length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : 4;
  const packet = Buffer.allocUnsafe(1 + lengthBytes + length);
  packet[0] = PACKET.publish << 4;
  for (let at = 1, left = length; at <= lengthBytes; at++, left >>= 7)
    packet[at] = (left & 127) | (at < lengthBytes ? 128 : 0);
  let at = packet.writeUInt16BE(topicLength, 1 + lengthBytes);
  at += packet.write(topic, at);
  payload.copy(packet, at);
  return packet;
}

/** Encodes a CONNACK. */
export const connackPacket = (returnCode: ConnackCode): Buffer =>
  generate({ cmd: 'connack', returnCode, sessionPresent: false });

/** CONNACK of MQTT 5 for a protocol version that is not supported. */
export const UNSUPPORTED_V5 = Buffer.from([0x20, 3, 0, 0x84, 0]);

export const PINGRESP = Buffer.from([0xd0, 0]);

/** Encodes a PUBACK. */
export const pubackPacket = (messageId: number): Buffer =>
  Buffer.from([0x40, 2, messageId >> 8, messageId & 255]);

/** Encodes a SUBACK with the granted QoS or `SUBSCRIPTION_REFUSED` for each filter. */
export const subackPacket = (messageId: number, granted: number[]): Buffer =>
  generate({ cmd: 'suback', messageId, granted });

/** Encodes an UNSUBACK. */
export const unsubackPacket = (messageId: number): Buffer =>
  generate({ cmd: 'unsuback', messageId, granted: [] });
