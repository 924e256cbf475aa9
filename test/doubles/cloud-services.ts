import jwt from 'jsonwebtoken';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { isSignedRight, startS3Server, type S3Server } from './s3-server.js';

/** What the services accept. The AWS key is that of `s3-server.ts`. */
export const ACCEPTED = {
  bucket: 'field',
  queue: 'https://sqs.eu-central-1.amazonaws.com/1/alarms',
  lambda: 'add',
  sendgridKey: 'SG.key',
  slackPath: 'T0/B0/x',
  twilio: { sid: 'AC1', token: 'token', number: '+491' },
} as const;

/** Status and JSON, or text, of a response. */
type Answer = readonly [status: number, body: object | string, headers?: Record<string, string>];

/** A request with its whole body. */
interface Received {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly body: string;
}

/** Another service with the checks of its API: of the credentials, the path and the content. */
type Service = (received: Received) => Answer;

const aws =
  (service: Service): Service =>
  (received) => {
    const { request, url, body } = received;
    const hash = createHash('sha256').update(body).digest('hex');
    const isSigned = request.headers['x-amz-content-sha256'] === hash && isSignedRight(request, url);
    return isSigned ? service(received) : [403, { message: 'The signature does not match' }];
  };

const lambda: Service = ({ url, body }) => {
  const invoked = /^\/2015-03-31\/functions\/(.+)\/invocations$/.exec(url.pathname)?.[1];
  if (invoked !== ACCEPTED.lambda) return [404, { Message: `Function not found: ${invoked}` }];
  const { a, b } = JSON.parse(body) as { a: number; b: number };
  return [200, { sum: a + b }, { 'x-amz-log-result': 'bG9n' }];
};

const sqs: Service = ({ request, body }) => {
  const { QueueUrl, MessageBody } = JSON.parse(body) as { QueueUrl?: string; MessageBody?: string };
  if (request.headers['x-amz-target'] !== 'AmazonSQS.SendMessage')
    return [400, { message: 'Unknown action' }];
  if (QueueUrl !== ACCEPTED.queue) return [400, { message: 'The specified queue does not exist.' }];
  return [200, { MessageId: `of ${MessageBody}` }];
};

/** Checks the token of the service account whose key signs it. */
const pubSub =
  (publicKey: string): Service =>
  ({ request, url, body }) => {
    try {
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      jwt.verify(token, publicKey, { audience: 'https://pubsub.googleapis.com/', algorithms: ['RS256'] });
    } catch (error) {
      return [401, { error: { code: 401, message: (error as Error).message } }];
    }
    if (url.pathname !== '/v1/projects/north/topics/reports:publish')
      return [404, { error: { code: 404, message: 'Resource not found' } }];
    const { messages } = JSON.parse(body) as { messages: { data: string }[] };
    return [200, { messageIds: messages.map(({ data }) => Buffer.from(data, 'base64').toString()) }];
  };

const sendgrid: Service = ({ request, url, body }) => {
  if (url.pathname !== '/v3/mail/send') return [404, ''];
  if (request.headers.authorization !== `Bearer ${ACCEPTED.sendgridKey}`)
    return [401, { errors: [{ message: 'The API key is invalid' }] }];
  const { personalizations } = JSON.parse(body) as { personalizations: { to: { email: string }[] }[] };
  const isMail = personalizations.every(({ to }) => to.every(({ email }) => email.includes('@')));
  return isMail ? [202, ''] : [400, { errors: [{ message: 'Does not contain a valid address.' }] }];
};

const slack: Service = ({ url, body }) => {
  if (url.pathname !== `/services/${ACCEPTED.slackPath}`) return [404, 'no_service'];
  return (JSON.parse(body) as { text?: string }).text ? [200, 'ok'] : [400, 'no_text'];
};

const twilio: Service = ({ request, url, body }) => {
  const { sid, token, number } = ACCEPTED.twilio;
  const basic = `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;
  if (request.headers.authorization !== basic) return [401, { code: 20003, message: 'Authenticate' }];
  if (url.pathname !== `/2010-04-01/Accounts/${sid}/Messages.json`) return [404, { message: 'Not found' }];
  if (new URLSearchParams(body).get('To') !== number)
    return [400, { code: 21211, message: "Invalid 'To' Phone Number" }];
  return [201, { sid: 'SM1' }];
};

/** Services of other companies, on 127.0.0.1. Requests choose one by their host. */
export class CloudServices {
  private constructor(
    private readonly s3: S3Server,
    /** Origin of all services but S3. */
    private readonly origin: string,
    private readonly stop: () => Promise<void>,
  ) {}

  /** Starts them. `publicKey` is that of the service account of Google, in PEM. */
  static async start(publicKey: string): Promise<CloudServices> {
    const services = new Map<string, Service>([
      ['lambda.eu-central-1.amazonaws.com', aws(lambda)],
      ['sqs.eu-central-1.amazonaws.com', aws(sqs)],
      ['pubsub.googleapis.com', pubSub(publicKey)],
      ['api.sendgrid.com', sendgrid],
      ['hooks.slack.com', slack],
      ['api.twilio.com', twilio],
    ]);
    const server = createServer((request, response) => {
      const { host = '' } = request.headers;
      void text(request).then((body) => {
        const service = services.get(host);
        const url = new URL(request.url ?? '/', `https://${host}`);
        const [status, answer, headers] = service?.({ request, url, body }) ?? [421, 'Unknown host'];
        response.writeHead(status, headers).end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new CloudServices(await startS3Server(ACCEPTED.bucket), origin, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
  }

  get origins(): readonly string[] {
    return [this.origin, this.s3.endpoint];
  }

  originOf = (host: string): string => (host.startsWith('s3.') ? this.s3.endpoint : this.origin);

  async close(): Promise<void> {
    await Promise.all([this.s3.close(), this.stop()]);
  }
}
