import { connect } from 'node:net';
import { createHistogram } from 'node:perf_hooks';
import { AnswerReader } from './answer-reader.js';

// The process that sends requests. It has its own core, if possible, and does as little as it can. Requests are bytes
// prepared in advance. Each connection sends its next request when it receives a response. Only the status and length
// of responses are read.

/** Load that the parent requests over IPC. */
export interface Load {
  port: number;
  connections: number;
  seconds: number;
  /** Complete requests as text, sent in turn. */
  requests: string[];
  /** Sends each request once and stops when none is left. */
  once: boolean;
  /** Requests per second, spread evenly over the connections; as many as possible if absent. */
  rate?: number;
}

/** Result of a load. */
export interface LoadResult {
  answers: number;
  seconds: number;
  p99: number;
  /** Share of its core that this process used. */
  busy: number;
}

const READ_BYTES = 64 * 1024;

async function send({ port, connections, seconds, requests, once, rate }: Load): Promise<LoadResult> {
  const bytes = requests.map((request) => Buffer.from(request));
  const micros = createHistogram();
  const cpu = process.cpuUsage();
  const start = performance.now();
  let end = start + seconds * 1000;
  let sent = 0;
  const next = (now: number) =>
    now >= end || (once && sent === bytes.length) ? undefined : bytes[sent++ % bytes.length];
  const note = (ms: number) => micros.record(Math.max(1, Math.round(ms * 1000)));
  const conversations = Array.from({ length: connections }, async (_, i) => {
    const interval = rate && (connections / rate) * 1000;
    const pace = interval ? { interval, first: start + (interval * i) / connections } : undefined;
    try {
      await runConnection(port, next, note, pace);
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

/**
 * Runs one connection: sends the next request when the previous response is complete. Fails on the first unsuccessful
 * response.
 */
function runConnection(
  port: number,
  next: (now: number) => Buffer | undefined,
  note: (ms: number) => void,
  pace?: { interval: number; first: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const reader = new AnswerReader();
    let request: Buffer | undefined;
    let sentAt = 0;
    let due = pace?.first ?? 0;
    const sendPaced = (): void => {
      const now = performance.now();
      if (now < due) return void setTimeout(sendPaced, due - now);
      if (pace) due += pace.interval;
      sendNext(now);
    };
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
      if (pace) sendPaced();
      else sendNext(now);
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
    socket.once('connect', sendPaced);
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
