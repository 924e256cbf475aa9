import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** A request as it goes over the wire: nothing in its path is normalised. */
export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Past this an answer counts as a hang. */
const PATIENCE_MS = 15_000;

/** Sends requests of one suite over connections that are kept. */
export class Sender {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  constructor(private readonly url: string) {}

  send({ method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const call = request(
        { hostname, port, method, path, agent: this.agent, headers: { ...length, ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          // A stream of events goes on for as long as somebody reads it.
          if (response.headers['content-type'] === 'text/event-stream') {
            resolve({ status: response.statusCode!, headers: response.headers, text: '' });
            call.destroy();
          }
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode!, headers: response.headers, text });
          });
        },
      );
      call.setTimeout(PATIENCE_MS, () => call.destroy(new Error('no answer in time')));
      call.on('error', reject);
      call.end(body);
    });
  }

  /** Sends `text` as it stands on a connection of its own and reads all that comes back until the server closes it. */
  sendText(text: string): Promise<string> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
      let answer = '';
      socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer in time')));
      socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
