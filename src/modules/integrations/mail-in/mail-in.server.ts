import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { once } from 'node:events';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import { Config } from '../../../config/config.js';
import { RunsIn } from '../../../platform/processes/roles.js';
import { ApiError, PayloadTooLarge, TooManyRequests } from '../../../lib/errors/errors.js';
import { networkOf } from '../../../platform/throttle/network.js';
import { MailInService } from './mail-in.service.js';

/** Maximum size of an email. The payload for workflows is at most twice as large. */
const MAX_BYTES = 512 * 1024;
const MAX_RECIPIENTS = 10;
const MAX_CLIENTS = 100;
const MAX_CLIENTS_PER_NETWORK = 20;
const IDLE_TIMEOUT_MS = 30_000;
/** Maximum duration of a connection. Allows several emails; slower clients must reconnect. */
const MAX_CONNECTION_MS = 5 * 60_000;
const CLOSE_MS = 1_000;

type Done = (error?: Error | null) => void;

/** SMTP error of a rejected command. Statuses that begin with 4 are temporary, so the client can retry. */
class Refusal extends Error {
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Receives emails for workflows over SMTP. An email is accepted once it is stored in the database. There is no
 * authentication; TLS is terminated by the mail server in front of this one.
 */
@Injectable()
@RunsIn('api')
export class MailInServer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MailInServer.name);
  private readonly clients = new Map<string, number>();
  private readonly server: SMTPServer;

  constructor(
    private readonly mails: MailInService,
    private readonly config: Config,
  ) {
    this.server = new SMTPServer({
      name: config.mailInDomain,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      size: MAX_BYTES,
      maxClients: MAX_CLIENTS,
      maxRecipients: MAX_RECIPIENTS,
      socketTimeout: IDLE_TIMEOUT_MS,
      closeTimeout: CLOSE_MS,
      onConnect: (session, done) => this.enter(session, done),
      onClose: ({ remoteAddress }) => this.count(remoteAddress, -1),
      onRcptTo: ({ address }, { remoteAddress }, done) =>
        this.answer(this.mails.assertRecipient(address, remoteAddress), done),
      onData: (stream, { envelope }, done) =>
        this.answer(
          received(stream).then((bytes) =>
            this.mails.receive(
              bytes,
              envelope.rcptTo.map(({ address }) => address),
            ),
          ),
          done,
        ),
    });
    // Aborted connections are caused by clients and are not errors of the server.
    this.server.on('error', ({ message }: Error) => this.logger.debug(message));
    this.server.server.on('connection', (socket) => {
      const end = setTimeout(() => socket.destroy(), MAX_CONNECTION_MS);
      socket.once('close', () => clearTimeout(end));
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await once(this.server.listen(this.config.MAIL_IN_PORT, this.config.HOST), 'listening');
  }

  onModuleDestroy(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private enter({ remoteAddress }: SMTPServerSession, done: Done): void {
    const clients = this.count(remoteAddress, 1);
    done(
      clients > MAX_CLIENTS_PER_NETWORK ? new Refusal(421, 'Too many connections from this network') : null,
    );
  }

  /** Changes the number of connections of a network and returns it. */
  private count(address: string, more: 1 | -1): number {
    const network = networkOf(address);
    const clients = (this.clients.get(network) ?? 0) + more;
    if (clients > 0) this.clients.set(network, clients);
    else this.clients.delete(network);
    return clients;
  }

  private answer(work: Promise<void>, done: Done): void {
    work.then(
      () => done(),
      (error: unknown) => done(this.responseFor(error)),
    );
  }

  private responseFor(error: unknown): Refusal {
    if (error instanceof TooManyRequests) return new Refusal(451, error.message);
    if (error instanceof PayloadTooLarge) return new Refusal(552, error.message);
    if (error instanceof ApiError && error.status < 500)
      return new Refusal(error.status === 404 ? 550 : 554, error.message);
    this.logger.error(error);
    return new Refusal(451, 'The email cannot be accepted at the moment; try again later');
  }
}

/** Reads an email. Discards all data if it exceeds the maximum size. */
async function received(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (bytes > MAX_BYTES) throw new PayloadTooLarge(`The email must have at most ${MAX_BYTES} bytes`);
  return Buffer.concat(chunks);
}
