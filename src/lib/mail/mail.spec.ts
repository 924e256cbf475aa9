import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { ValidationError } from '../errors/errors.js';
import { createMailer, validateAddress, type Mail } from './mail.js';

const FROM = 'platform@fieldwright.example';
const MAIL: Mail = {
  to: 'ann@example.com',
  subject: 'Your export is ready',
  text: 'It is ready – hier.',
  messageId: 'job-1',
};

/** Addresses that a mail program could read as an additional recipient or as a header. */
const HOSTILE = [
  'victim@example.com\r\nBcc: evil@example.com',
  'victim@example.com\nBcc: evil@example.com',
  'victim@example.com, evil@example.com',
  'victim@example.com; evil@example.com',
  'victim@example.com evil@example.com',
  'friends: victim@example.com, evil@example.com;',
  'victim@example.com <evil@example.com>',
  '<evil@example.com>',
  '"victim@example.com"@example.com',
  '"a b"@example.com',
  'victim(comment)@example.com',
  'victim@example.com(evil@example.com)',
  'victim@[127.0.0.1]',
  'victim@example.com\0',
  'victim@exa\tmple.com',
  ' victim@example.com',
  'victim@example.com ',
  'victim@example.com\n',
  'a@b@example.com',
  'victim@',
  '@example.com',
  'victim',
  '',
  'victim@example..com',
  'victim@-example.com',
  '.victim@example.com',
  'vic..tim@example.com',
  'victim@exämple.com',
  'vïctim@example.com',
  '=?utf-8?q?evil=40example.com?=@example.com ',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b'.repeat(64)}.com`,
  `a@${'b.'.repeat(130)}com`,
];

describe('validateAddress', () => {
  it.each([
    'a@b',
    "first.last+tag_o'neil@mail.example.co.uk",
    'admin@localhost',
    `${'a'.repeat(64)}@example.com`,
  ])('accepts %s', (address) => {
    expect(validateAddress(address, 'email')).toBe(address);
  });

  it.each(HOSTILE)('rejects %j', (address) => {
    expect(() => validateAddress(address, 'export.email')).toThrow(
      new ValidationError('export.email must be an email address'),
    );
  });
});

describe('a mailer with an SMTP server', () => {
  const received: { to: string[]; from: string; content: string }[] = [];
  const open: (Server | SMTPServer)[] = [];

  const addressOf = (server: Server) => `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function startSmtp(options: SMTPServerOptions = {}): Promise<string> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, done) => {
        void text(stream).then((content) => {
          const { mailFrom, rcptTo } = session.envelope;
          received.push({
            to: rcptTo.map(({ address }) => address),
            from: mailFrom ? mailFrom.address : '',
            content,
          });
          done();
        });
      },
      ...options,
    });
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return addressOf(server.server);
  }

  /** Starts a server that sends nothing after the output of `speak`. */
  async function startSilent(speak: (socket: Socket) => void): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.resume();
      speak(socket);
    });
    open.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return addressOf(server);
  }

  const mailer = (smtpUrl: string, timeoutMs?: number) =>
    createMailer({ smtpUrl, from: FROM, mailDir: '/nowhere', timeoutMs });
  const failing = (responseCode: number) => Object.assign(new Error('not now'), { responseCode });

  afterEach(async () => {
    received.length = 0;
    await Promise.all(
      open.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
  });

  it('delivers one message to one recipient', async () => {
    await mailer(await startSmtp()).send({ ...MAIL, html: '<p>It is ready</p>' });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({ to: ['ann@example.com'], from: FROM });
    const content = received[0]?.content ?? '';
    expect(content).toMatch(/^From: platform@fieldwright\.example\r$/m);
    expect(content).toMatch(/^To: ann@example\.com\r$/m);
    expect(content).toMatch(/^Subject: Your export is ready\r$/m);
    expect(content).toMatch(/^Message-ID: <job-1@fieldwright\.example>\r$/m);
    expect(content).toContain('<p>It is ready</p>');
  });

  it('sends a message again with the same Message-ID', async () => {
    const smtp = mailer(await startSmtp());
    await smtp.send(MAIL);
    await smtp.send(MAIL);
    const ids = received.map(({ content }) => /^Message-ID: .*$/m.exec(content)?.[0]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it.each(HOSTILE)('sends nothing to %j', async (to) => {
    const smtp = mailer(await startSmtp());
    await expect(smtp.send({ ...MAIL, to })).rejects.toThrow(ValidationError);
    expect(received).toEqual([]);
  });

  it('prevents a subject from adding headers', async () => {
    await mailer(await startSmtp()).send({
      ...MAIL,
      subject: 'Export of a\r\nBcc: evil@example.com\0\u2028\tb',
    });
    expect(received[0]?.to).toEqual(['ann@example.com']);
    expect(received[0]?.content).toMatch(/^Subject: Export of a Bcc: evil@example\.com b\r$/m);
    expect(received[0]?.content).not.toMatch(/^Bcc:/m);
  });

  it('prevents a text from ending the message', async () => {
    await mailer(await startSmtp()).send({ ...MAIL, text: 'a\r\n.\r\nMAIL FROM:<evil@example.com>\r\n' });
    expect(received).toHaveLength(1);
    expect(received[0]?.content).toContain('MAIL FROM');
  });

  it.each(['', 'a b', 'a>\r\nBcc: evil@example.com', '../a', 'a'.repeat(101)])(
    'rejects the message ID %j',
    async (messageId) => {
      const smtp = mailer(await startSmtp());
      await expect(smtp.send({ ...MAIL, messageId })).rejects.toThrow('The message ID is not valid');
      expect(received).toEqual([]);
    },
  );

  it.each([451, 550])('rejects if the server rejects the recipient with %i', async (code) => {
    const url = await startSmtp({ onRcptTo: (_address, _session, done) => done(failing(code)) });
    await expect(mailer(url).send(MAIL)).rejects.toMatchObject({ responseCode: code });
  });

  it.each([452, 554])('rejects if the server rejects the content with %i', async (code) => {
    const url = await startSmtp({
      onData: (stream, _session, done) => stream.resume().on('end', () => done(failing(code))),
    });
    await expect(mailer(url).send(MAIL)).rejects.toMatchObject({ responseCode: code });
  });

  it('rejects if the server is unreachable', async () => {
    const url = await startSilent(() => undefined);
    await new Promise((resolve) => open.pop()?.close(resolve));
    await expect(mailer(url).send(MAIL)).rejects.toMatchObject({ syscall: 'connect' });
  });

  it.each([
    ['before its greeting', () => undefined],
    ['after its greeting', (socket: Socket) => socket.write('220 ready\r\n')],
  ])('times out if the server hangs %s', async (_when, speak) => {
    await expect(mailer(await startSilent(speak), 200).send(MAIL)).rejects.toMatchObject({
      code: 'ETIMEDOUT',
    });
  });

  it('logs in with the credentials of the URL', async () => {
    const seen: unknown[] = [];
    const url = await startSmtp({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        seen.push([username, password]);
        done(null, { user: username });
      },
    });
    await mailer(url.replace('//', '//user:p%40ss@')).send(MAIL);
    expect(seen).toEqual([['user', 'p@ss']]);
    expect(received).toHaveLength(1);
  });
});

describe('a mailer without an SMTP server', () => {
  let root: string;
  beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'mail-'))));
  afterEach(() => rm(root, { recursive: true }));

  it('writes each mail in a format that mail programs read', async () => {
    const mailDir = join(root, 'mail');
    await createMailer({ from: FROM, mailDir }).send({ ...MAIL, subject: 'Grüße' });
    const [name = '', ...others] = await readdir(mailDir);
    expect(others).toEqual([]);
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-job-1\.eml$/);

    const [head = '', body] = (await readFile(join(mailDir, name), 'utf8')).split('\r\n\r\n');
    const headers = Object.fromEntries(
      head.split(/\r\n(?! )/).map((line) => line.split(/: (.*)/s).slice(0, 2)),
    );
    expect(headers).toMatchObject({
      From: FROM,
      To: 'ann@example.com',
      Subject: '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=',
      'Message-ID': '<job-1@fieldwright.example>',
      'Content-Type': 'text/plain; charset=utf-8',
    });
    expect(Date.parse(headers.Date ?? '')).not.toBeNaN();
    expect(body).toContain('It is ready =E2=80=93 hier.');
  });

  it('writes a message once, regardless of how often it is sent', async () => {
    const mailer = createMailer({ from: FROM, mailDir: root });
    await mailer.send(MAIL);
    await mailer.send({ ...MAIL, messageId: '1' });
    await mailer.send(MAIL);
    await createMailer({ from: FROM, mailDir: root }).send(MAIL);
    const names = (await readdir(root)).map((name) => name.slice('2026-01-01T00-00-00.000Z-'.length));
    expect(names.sort()).toEqual(['1.eml', 'job-1.eml']);
  });

  it('rejects hostile addresses too', async () => {
    const mailer = createMailer({ from: FROM, mailDir: root });
    for (const to of HOSTILE) await expect(mailer.send({ ...MAIL, to })).rejects.toThrow(ValidationError);
    expect(await readdir(root)).toEqual([]);
  });
});
