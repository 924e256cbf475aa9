import { TopicMessage } from './topic-message.js';

const SPACE = 0x20;

/** A message as processes send it to each other, with the process that sent it and its number there. */
export interface TopicFrame {
  sender: string;
  number: number;
  time: number;
  topic: string;
  payload: Buffer;
}

/** Encodes a message for other processes. `sender` has no spaces. */
export function encodeFrame(sender: string, { number, time, topic, payload }: TopicMessage): Buffer {
  const head = Buffer.from(`${sender} ${number} ${time} ${Buffer.byteLength(topic)} ${topic}`);
  return payload.length === 0 ? head : Buffer.concat([head, payload]);
}

/** Decodes what `encodeFrame` has encoded. Returns `undefined` for anything else. */
export function decodeFrame(bytes: Buffer): TopicFrame | undefined {
  const parts: string[] = [];
  let from = 0;
  while (parts.length < 4) {
    const end = bytes.indexOf(SPACE, from);
    if (end < 0) return undefined;
    parts.push(bytes.toString('latin1', from, end));
    from = end + 1;
  }
  const [sender, number, time, length] = parts as [string, string, string, string];
  const end = from + Number(length);
  if (!(end <= bytes.length)) return undefined;
  return {
    sender,
    number: Number(number),
    time: Number(time),
    topic: bytes.toString('utf8', from, end),
    payload: bytes.subarray(end),
  };
}
