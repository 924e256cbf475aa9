import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { makeFlow, makeVersion } from '../../../../test/make/flows.js';
import { requestedRuns } from '../../../../test/make/runs.js';
import { suite } from '../../../../test/setup/suite.js';
import { waitUntil } from '../../../../test/setup/until.js';
import { newId } from '../../../platform/repositories/resource.js';

const DOMAIN = 'in.example.com';
const env: Record<string, string> = { MAIL_IN_DOMAIN: 'In.Example.com' };
beforeAll(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  env.MAIL_IN_PORT = String((server.address() as AddressInfo).port);
  await once(server.close(), 'close');
});
const { test, user, application } = suite(env);

const listens = (more: object = {}, ...keys: string[]) =>
  makeFlow(test, user.token, application.id, {
    triggers: (keys.length ? keys : [undefined]).map((key) => ({
      type: 'inboundEmail',
      ...(key ? { key } : {}),
      config: {},
      outputIds: [],
    })),
    ...more,
  });
const addressOf = ({ id }: { id: string }, key = '') => `${id}${key && `+${key}`}@${DOMAIN}`;

async function send(mail: SendMailOptions): Promise<{ accepted: unknown[]; rejected: unknown[] }> {
  const transport = createTransport({ host: '127.0.0.1', port: Number(env.MAIL_IN_PORT), secure: false });
  return transport.sendMail({ from: 'Ada <ada@example.com>', subject: 'Hello', text: 'It is hot.', ...mail });
}

async function runsOf({ id }: { id: string }): Promise<any[]> {
  const runs = await requestedRuns(test, { flowId: id });
  return runs.map(({ trigger, flowVersionId: version }) => ({ trigger, version }));
}

/** Sends lines over SMTP and returns the status codes of the replies, including the greeting. */
async function conversation(lines: readonly string[]): Promise<string[]> {
  const socket = connect(Number(env.MAIL_IN_PORT), '127.0.0.1');
  socket.on('error', () => undefined);
  const statuses: string[] = [];
  const left = [...lines];
  for await (const line of createInterface({ input: socket })) {
    if (line[3] === '-') continue;
    statuses.push(line.slice(0, 3));
    if (left.length === 0) break;
    socket.write(`${left.shift()!}\r\n`);
  }
  socket.destroy();
  return statuses;
}

describe('An email to a workflow', () => {
  it('runs the workflow with the contents of the email', async () => {
    const flow = await listens();
    const other = await listens();
    await send({
      to: addressOf(flow).toUpperCase(),
      cc: 'Grace <grace@example.com>',
      replyTo: 'desk@example.com',
      subject: 'Wärme ☀',
      text: 'Ventil 3: 81 °C',
      html: '<b>Ventil 3</b>',
      attachments: [{ filename: 'wärme.csv', content: 'a,b\n1,2\n' }],
      date: new Date('2026-06-13T04:00:00Z'),
      messageId: '<one@example.com>',
    });
    const [run, ...more] = await runsOf(flow);
    expect(more).toEqual([]);
    expect(run).toEqual({
      version: null,
      trigger: {
        type: 'inboundEmail',
        key: 'default',
        sourceId: flow.id,
        data: {
          from: { name: 'Ada', address: 'ada@example.com' },
          to: [{ name: '', address: `${flow.id.toUpperCase()}@${DOMAIN}` }],
          cc: [{ name: 'Grace', address: 'grace@example.com' }],
          replyTo: [{ name: '', address: 'desk@example.com' }],
          subject: 'Wärme ☀',
          text: expect.stringContaining('Ventil 3: 81 °C'),
          html: expect.stringContaining('<b>Ventil 3</b>'),
          date: '2026-06-13T04:00:00.000Z',
          messageId: '<one@example.com>',
          attachments: [
            {
              fileName: 'wärme.csv',
              contentType: 'text/csv',
              value: Buffer.from('a,b\n1,2\n').toString('base64'),
            },
          ],
        },
      },
    });
    expect(await runsOf(other)).toEqual([]);
  });

  it('runs the trigger in the address, in the default version', async () => {
    const flow = await listens({}, 'default');
    const triggers = [{ type: 'inboundEmail', key: 'orders', config: {}, outputIds: [] }];
    const version = await makeVersion(test, user.token, flow, { version: '1.0', triggers });
    await test.client.patch(
      `/applications/${application.id}/flows/${flow.id}`,
      { defaultVersionId: version.id },
      { token: user.token },
    );
    await send({ to: addressOf(flow, 'orders') });
    const [run] = await runsOf(flow);
    expect(run).toMatchObject({ trigger: { key: 'orders' }, version: version.id });
  });

  it('runs each recipient workflow once', async () => {
    const flows = [await listens(), await listens()];
    await send({ to: flows.map((flow) => addressOf(flow)), bcc: addressOf(flows[0]) });
    for (const flow of flows) expect(await runsOf(flow)).toHaveLength(1);
  });

  it('is counted as a payload', async () => {
    await send({ to: addressOf(await listens()) });
    const path = `/applications/${application.id}/payloadCounts`;
    const { body } = await test.client.get(path, { token: user.token });
    expect(body.inboundEmail).toEqual({ 'public.rest': 1 });
  });

  it.each([
    ['of no workflow', () => `${newId()}@${DOMAIN}`],
    ['of no id', () => `ada@${DOMAIN}`],
    ['of another key', async () => addressOf(await listens(), 'orders')],
    ['of another domain', async () => addressOf(await listens()).replace(DOMAIN, 'example.com')],
    ['of a workflow that is off', async () => addressOf(await listens({ enabled: false }))],
    [
      'of a workflow that listens to something else',
      async () => addressOf(await makeFlow(test, user.token, application.id)),
    ],
    [
      'of a workflow whose application is gone',
      async () => {
        const flow = await listens();
        await test.client.delete(`/applications/${application.id}`, { token: user.token });
        return addressOf(flow);
      },
    ],
  ])('is rejected for an address %s', async (_, address) => {
    await expect(send({ to: await address() })).rejects.toMatchObject({ responseCode: 550 });
  });

  it('is rejected if it is too large, with or without an announced size', async () => {
    const flow = await listens();
    await expect(send({ to: addressOf(flow), text: 'x'.repeat(600_000) })).rejects.toMatchObject({
      responseCode: 552,
    });
    const lines = ['EHLO a', 'MAIL FROM:<ada@example.com>', `RCPT TO:<${addressOf(flow)}>`, 'DATA'];
    const large = `${'x'.repeat(998)}\r\n`.repeat(600);
    expect(await conversation([...lines, `${large}.`])).toEqual(['220', '250', '250', '250', '354', '552']);
    expect(await runsOf(flow)).toEqual([]);
  });

  it('can have at most ten recipients', async () => {
    const flow = await listens({}, ...Array.from({ length: 11 }, (_, n) => `k${n}`));
    const addresses = Array.from({ length: 11 }, (_, n) => `RCPT TO:<${addressOf(flow, `k${n}`)}>`);
    const statuses = await conversation(['EHLO a', 'MAIL FROM:<>', ...addresses]);
    expect(statuses.slice(3)).toEqual([...Array.from({ length: 10 }, () => '250'), '452']);
  });
});

describe('An SMTP client', () => {
  it('cannot authenticate, relay or use STARTTLS', async () => {
    expect(await conversation(['EHLO a', 'AUTH PLAIN', 'STARTTLS', 'VRFY ada', 'QUIT'])).toEqual([
      ...['220', '250', '500', '500', '252', '221'],
    ]);
  });

  it('is limited in concurrent connections', async () => {
    const sockets = Array.from({ length: 20 }, () => connect(Number(env.MAIL_IN_PORT), '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    expect(await conversation([])).toEqual(['421']);
    for (const socket of sockets) socket.destroy();
    await waitUntil(async () => (await conversation([]))[0] === '220');
  });
});
