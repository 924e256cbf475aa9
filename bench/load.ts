import { connect } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { AnswerReader } from './answer-reader.js';

// The process that sends requests. It has a core of its own, where there is one, and does as little as it can: requests
// are bytes that were made before, each connection sends the next one when its answer is there, and of answers
// only status and length are read.

/** What the process is asked to send, over IPC. */
export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Whole requests as text, sent in turn. */
  requests: string[];
  /** Send each once, and end where none is left. */
  once: boolean;
}

/** What came of it. */
export interface LoadResult {
  answers: number;
  seconds: number;
  p99: number;
  /** Of its core, the share that this process had to work. */
  busy: number;
}

const READ_BYTES = 64 * 1024;

async function send({ port, connections, seconds, requests, once }: Load): Promise<LoadResult> {
  const bytes = requests.map((request) => Buffer.from(request));
  const micros = createHistogram();
  const cpu = process.cpuUsage();
  const start = performance.now();
  let end = start + seconds * 1000;
  let sent = 0;
  const next = (now: number) =>
    now >= end || (once && sent === bytes.length) ? undefined : bytes[sent++ % bytes.length];
  const note = (ms: number) => micros.record(Math.max(1, Math.round(ms * 1000)));
  const conversations = Array.from({ length: connections }, async () => {
    try {
      await converse(port, next, note);
    } catch (error) {
      end = 0;
      throw error;
    }
  });
  const outcomes = await Promise.allSettled(conversations);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  const taken = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return {
    answers: micros.count,
    seconds: taken / 1000,
    p99: micros.percentile(99) / 1000,
    busy: (user + system) / 1000 / taken,
  };
}

/** One connection: sends what is next when the answer before is complete. Fails with the first answer that is no success. */
function converse(
  port: number,
  next: (now: number) => Buffer | undefined,
  note: (ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    let request: Buffer | undefined;
    let sentAt = 0;
    const sendNext = (now: number): void => {
      request = next(now);
      sentAt = now;
      if (request) socket.write(request);
      else socket.end();
    };
    const hear = (chunk: Buffer): void => {
      const status = reader.read(chunk);
      if (status === undefined) return;
      if (status < 200 || status > 299)
        throw new Error(`answered ${status}: ${chunk.toString().slice(-300)}`);
      const now = performance.now();
      note(now - sentAt);
      sendNext(now);
    };
    const fail = ({ message }: Error): void => {
      reject(new Error(`${request?.toString().split('\r\n', 1)[0]}: ${message}`));
      socket.destroy();
    };
    const callback = (size: number, buffer: Uint8Array): boolean => {
      try {
        hear(Buffer.from(buffer.buffer, buffer.byteOffset, size));
      } catch (error) {
        fail(error as Error);
      }
      return true;
    };
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } });
    socket.once('connect', () => sendNext(performance.now()));
    socket.once('error', fail);
    socket.once('close', () => (request ? fail(new Error('the connection was closed')) : resolve()));
  });
}

process.on('message', (load: Load) => {
  send(load).then(
    (result) => process.send!(result),
    (error: Error) => process.send!({ failure: error.message }),
  );
});
