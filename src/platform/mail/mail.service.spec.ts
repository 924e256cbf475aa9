import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { ValidationError } from '../../lib/errors/errors.js';
import type { JobsService } from '../jobs/jobs.service.js';
import type { JobContext } from '../jobs/on-job.js';
import { createMailer } from '../../lib/mail/mail.js';
import { MailService } from './mail.service.js';

const JOB = { id: 'job-1' } as JobContext;
const MAIL = { to: 'ann@example.com', subject: 'Hello', text: 'Hello' };
const refusing = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

/** Sends a mail to a server with this behavior and returns the outcome. */
async function deliver(manners: SMTPServerOptions, credentials = ''): Promise<unknown> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    ...manners,
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const smtpUrl = `smtp://${credentials}127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  const mailer = createMailer({ smtpUrl, from: 'platform@fieldwright.example', mailDir: '/nowhere' });
  try {
    return await new MailService({} as JobsService, mailer)
      .deliver(MAIL, JOB)
      .catch((error: unknown) => error);
  } finally {
    await new Promise<void>((done) => server.close(done));
  }
}

const atRecipient = (code: number): SMTPServerOptions => ({
  onRcptTo: (_address, _session, done) => done(refusing(code)),
});
const atContent = (code: number): SMTPServerOptions => ({
  onData: (stream, _session, done) => stream.resume().on('end', () => done(refusing(code))),
});

describe('Mail', () => {
  it.each([
    ['its recipient', atRecipient(550)],
    ['its content', atContent(554)],
  ])('is not retried if the server permanently rejects %s', async (_what, manners) => {
    expect(await deliver(manners)).toBeInstanceOf(ValidationError);
  });

  it.each([
    ['its recipient for now', atRecipient(451), ''],
    ['its content for now', atContent(452), ''],
    [
      'the log-in',
      { onAuth: (_auth, _session, done) => done(refusing(535)) } satisfies SMTPServerOptions,
      'user:wrong@',
    ],
  ])('is retried if the server rejects %s', async (_what, manners, credentials) => {
    const error = await deliver(manners, credentials);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(ValidationError);
  });
});
