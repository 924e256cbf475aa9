import { request, type IncomingMessage } from 'node:http';
import { makeApplication } from '../../../test/make/make.js';
import { SITES, sitesPort, TestSite, type Asked } from '../../../test/make/sites.js';
import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';
import { GracefulShutdown } from '../../platform/server/graceful-shutdown.js';
import { TopicBus } from '../../platform/topics/topic-bus.js';
import { TopicStreams } from './topic-streams.js';

const { test, user, application } = suite({ ...SITES, STREAMS_PER_PROCESS: '3' }, { database: 'own' });
const TIME: number = expect.any(Number);
/** Parts of the streams that only tests use. */
interface InnerStreams {
  readonly streams: ReadonlySet<object>;
  readonly channels: ReadonlyMap<string, { readonly close: Promise<unknown> }>;
  keepAlive(): void;
}
const inner = () => test.app.get<TopicStreams, InnerStreams>(TopicStreams);
let site: TestSite;
const opened: Stream[] = [];

beforeEach(() => {
  site = new TestSite(test, user, application);
});
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  await waitUntil(async () => inner().streams.size === 0);
});

/** An open response and the text it has sent so far. */
class Stream {
  text = '';
  isOver = false;

  constructor(
    readonly answer: IncomingMessage,
    readonly close: () => void,
  ) {
    answer.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    answer.on('error', () => (this.isOver = true));
    answer.on('close', () => (this.isOver = true));
  }

  /** Events received so far. */
  get events(): { event: string; data: any }[] {
    return [...this.text.matchAll(/event: (.*)\ndata: (.*)\n\n/g)].map(([, event, data]) => ({
      event: event!,
      data: JSON.parse(data!),
    }));
  }

  has = (count: number): Promise<void> => waitUntil(async () => this.events.length >= count);
  ends = (): Promise<void> => waitUntil(async () => this.isOver);
}

/** Opens a stream as an `EventSource` does: it has started as soon as the head of the response is there. */
async function open(path: string, { host = site.host, token, headers }: Asked = {}): Promise<Stream> {
  const cookie = token === undefined ? {} : { cookie: `authorization=${token}` };
  const sent = request({
    host: '127.0.0.1',
    port: sitesPort(test),
    path,
    agent: false,
    headers: { host, accept: 'text/event-stream', ...cookie, ...headers },
  }).end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('error', reject);
  });
  sent.on('error', () => undefined);
  const stream = new Stream(answer, () => sent.destroy());
  opened.push(stream);
  await subscribed();
  return stream;
}

/** Waits until the streams of this process receive messages. */
async function subscribed(): Promise<void> {
  const { channels } = inner();
  await Promise.all([...channels.values()].map(({ close }) => close));
}

const publish = (topic: string, message: string, applicationId = application.id) =>
  test.app.get(TopicBus).publish(applicationId, topic, Buffer.from(message));

/** Makes an endpoint that replies with a stream. */
const streaming = (route: string, topics: readonly string[], more: object = {}, config: object = {}) =>
  site.replying(route, { replyType: 'mqtt', mqttTopicsTemplate: topics, ...config }, more);

describe('A stream of messages', () => {
  it('has the messages of its topics only, as they were published', async () => {
    await streaming('/events/{id}', ['P/{{data.params.id}}/state', 'custom/{{data.query.t}}', '']);
    const stream = await open('/events/d1?t=a%20b');
    expect(stream.answer.statusCode).toBe(200);
    expect(stream.answer.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store, must-revalidate',
      'x-accel-buffering': 'no',
    });
    publish('P/d1/state', '{"on": true}');
    publish('P/d2/state', 'of another device');
    publish('P/d1/state', 'of another application', (await makeApplication(test, user.token)).id);
    publish('custom/a b', 'two\nlines: "ü"');
    await stream.has(2);
    expect(stream.events).toEqual([
      { event: 'mqttMessage', data: { topic: 'P/d1/state', message: '{"on": true}', time: TIME } },
      { event: 'mqttMessage', data: { topic: 'custom/a b', message: 'two\nlines: "ü"', time: TIME } },
    ]);
  });

  it('has the headers and cookies of the reply, and is kept alive', async () => {
    await streaming(
      '/events',
      ['a'],
      {},
      {
        headerInfo: [{ keyTemplate: 'x-own', valueTemplate: '1' }],
        cookieInfo: [{ nameTemplate: 'seen', valueTemplate: 'yes' }],
      },
    );
    const stream = await open('/events');
    expect(stream.answer.headers['x-own']).toBe('1');
    expect(stream.answer.headers['set-cookie']).toEqual([expect.stringMatching(/^seen=yes;/)]);
    inner().keepAlive();
    await waitUntil(async () => stream.text === ':\n\n');
  });

  it('is shared by all readers of a topic', async () => {
    await streaming('/shared', ['shared']);
    const streams = [await open('/shared'), await open('/shared')];
    streams[0]!.close();
    await waitUntil(async () => inner().streams.size === 1);
    publish('shared', 'x');
    await streams[1]!.has(1);
    expect(streams[0]!.events).toEqual([]);
  });

  it('of HEAD is only the headers', async () => {
    await streaming('/head', ['a']);
    const answer = await site.visit('/head', { method: 'HEAD' });
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      200,
      'text/event-stream',
      '',
    ]);
  });

  it.each([['a/+'], ['#'], ['a/#/b'], ['a\u0000b']])('is refused for the topic %j', async (topic) => {
    const route = `/refused-${Buffer.from(topic).toString('hex')}`;
    const endpoint = await streaming(route, ['{{data.query.topic}}']);
    await site.call('post', 'flows', {
      name: `Errors of ${route}`,
      flowClass: 'experience',
      triggers: [
        {
          type: 'flowError',
          key: `${application.id}-experience-flowError`,
          config: { scope: 'experience' },
          outputIds: [['reply']],
        },
      ],
      nodes: [
        {
          id: 'reply',
          type: 'EndpointReplyNode',
          config: {
            replyIdPath: 'data.erroredPayload.data.replyId',
            responseCodeTemplate: '500',
            bodyTemplateType: 'string',
            bodyTemplate: '{{data.errorInfo.error.message}}',
          },
          outputIds: [],
        },
      ],
    });
    const answer = await site.visit(`${route}?topic=${encodeURIComponent(topic)}`);
    expect([endpoint.id.length, answer.status, answer.text]).toEqual([
      24,
      500,
      expect.stringContaining('mqttTopicsTemplate'),
    ]);
  });

  it('is refused if too many are open, and others are not affected', async () => {
    await streaming('/many', ['many']);
    for (let i = 0; i < 3; i++) await open('/many');
    const refused = await site.visit('/many');
    expect([refused.status, refused.json]).toEqual([503, { error: expect.stringMatching(/streams/) }]);
    opened[0]!.close();
    await waitUntil(async () => inner().streams.size === 2);
    publish('many', 'x');
    await Promise.all(opened.slice(1).map((stream) => stream.has(1)));
    expect((await open('/many')).answer.statusCode).toBe(200);
  });
});

describe('A stream of a user', () => {
  it('ends when the user is changed, and those of others go on', async () => {
    const [ada, bob] = [await site.visitor(), await site.visitor()];
    await streaming('/own', ['own'], { access: 'authenticated' });
    const [one, two] = [await open('/own', ada), await open('/own', bob)];
    await site.call('patch', `experience/users/${ada.id}`, { tokenCutoff: new Date() });
    await one.ends();
    publish('own', 'x');
    await two.has(1);
    expect(one.events).toEqual([]);
    expect((await site.visit('/own', ada)).status).toBe(401);
  });

  it('ends when the token expires', async () => {
    const ada = await site.visitor({}, 3_600_000);
    await streaming('/short', ['short'], { access: 'authenticated' });
    const stream = await open('/short', ada);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 3_700_000);
    inner().keepAlive();
    clock.mockRestore();
    await stream.ends();
  });

  it('ends when changes of rights may have been missed', async () => {
    const ada = await site.visitor();
    await streaming('/missed', ['missed'], { access: 'authenticated' });
    await streaming('/public', ['missed']);
    const [own, open_] = [await open('/missed', ada), await open('/public')];
    test.app.get(TopicStreams).endOfUsers();
    await own.ends();
    publish('missed', 'x');
    await open_.has(1);
  });
});

describe('All streams', () => {
  it('of an application end when it is deleted', async () => {
    const made = new TestSite(test, user, await makeApplication(test, user.token));
    await made.replying('/gone', { replyType: 'mqtt', mqttTopicsTemplate: ['a'] });
    const stream = await open('/gone', { host: made.host });
    await test.client.delete(`/applications/${made.application.id}`, { token: user.token });
    await stream.ends();
  });

  it('end when the process stops', async () => {
    await streaming('/stop', ['stop']);
    const stream = await open('/stop');
    const { closeListeners } = test.app.get<GracefulShutdown, { closeListeners: (() => void)[] }>(
      GracefulShutdown,
    );
    for (const close of closeListeners) close();
    await stream.ends();
  });
});
