import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';

/** A raw request: its path is not normalized. */
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

/** Milliseconds after which a request counts as hung. */
const TIMEOUT_MS = 15_000;

/** Sends the requests of a suite over kept-alive connections. */
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
          // An event stream does not end until the client disconnects.
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
      call.setTimeout(TIMEOUT_MS, () => call.destroy(new Error('no response in time')));
      call.on('error', reject);
      call.end(body);
    });
  }

  /** Sends `text` verbatim on a new connection and returns everything the server sends until it closes. */
  sendText(text: string): Promise<string> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(text, 'latin1'));
      let answer = '';
      socket.setTimeout(TIMEOUT_MS, () => socket.destroy(new Error('no response in time')));
      socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
      socket.on('error', reject);
      socket.on('close', () => resolve(answer));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
