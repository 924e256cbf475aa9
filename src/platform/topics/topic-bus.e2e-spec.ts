import { spawnSync } from 'node:child_process';
import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';
import { newId } from '../repositories/resource.js';
import { TopicBus } from './topic-bus.js';
import { encodeFrame } from './topic-frame.js';
import { TopicMessage } from './topic-message.js';

const { test, other } = suite();
const buses = () => [test, other].map(({ app }) => app.get(TopicBus)) as [TopicBus, TopicBus];

/** A reader that records messages as `topic: payload`, without repetitions. */
function recorder() {
  const received: string[] = [];
  let last = 0;
  const receive = ({ topic, payload, number }: TopicMessage) => {
    if (number !== last) received.push(`${topic}: ${payload.toString()}`);
    last = number;
  };
  return { received, receive };
}

/** Program that publishes a message on a channel of a Redis. */
const PUBLISH = `const { Redis } = require('ioredis');
  const [url, channel, message] = process.argv.slice(1);
  const redis = new Redis(url);
  redis.publish(channel, Buffer.from(message, 'base64')).then(() => redis.disconnect());`;

let application: string;
beforeEach(() => {
  application = newId();
});
const send = (bus: TopicBus, topic: string, text: string, options?: object) =>
  bus.publish(application, topic, Buffer.from(text), options);

describe('Messages of topics', () => {
  it('reach the readers of matching filters in all processes once, in order', async () => {
    const readers = buses().map((bus) => ({ bus, ...recorder() }));
    for (const { bus, ...reader } of readers)
      for (const filter of ['a/b', 'a/+', '#', 'c']) await bus.subscribe(application, filter, reader);
    const [bus] = buses();
    const sent = Array.from({ length: 200 }, (_, n) => [`a/${n % 2 ? 'b' : 'x'}`, String(n)] as const);
    for (const [topic, text] of sent) send(bus, topic, text);
    send(bus, 'end', '');
    const expected = [...sent.map(([topic, text]) => `${topic}: ${text}`), 'end: '];
    for (const { received } of readers) {
      await waitUntil(async () => received.length >= expected.length);
      expect(received).toEqual(expected);
    }
  });

  it('reach no readers of other topics or applications, nor after they unsubscribe', async () => {
    const [bus, elsewhere] = buses();
    const [own, foreign] = [recorder(), recorder()];
    for (const filter of ['a/b', 'a/#', 'end']) await elsewhere.subscribe(application, filter, own);
    for (const filter of ['a/b', '#']) await elsewhere.subscribe(newId(), filter, foreign);
    send(bus, 'a/b', '1');
    send(bus, 'b', '2');
    await waitUntil(async () => own.received.length === 1);
    for (const filter of ['a/b', 'a/#']) elsewhere.unsubscribe(application, filter, own);
    send(bus, 'a/b', '3');
    send(bus, 'end', '4');
    await waitUntil(async () => own.received.length > 1);
    expect(own.received).toEqual(['a/b: 1', 'end: 4']);
    expect(foreign.received).toEqual([]);
  });

  it('that are exact do not match wildcards, and are found by their key', async () => {
    const [bus, elsewhere] = buses();
    const [exact, wild] = [recorder(), recorder()];
    for (const each of [bus, elsewhere]) {
      await each.subscribe(application, 'p/device', exact);
      await each.subscribe(application, '#', wild);
    }
    send(bus, 'p/device/to/x', '1', { key: 'p/device', isExact: true });
    send(bus, 'a', '2');
    await waitUntil(async () => wild.received.length === 2 && exact.received.length === 2);
    expect(exact.received).toEqual(['p/device/to/x: 1', 'p/device/to/x: 1']);
    expect(wild.received).toEqual(['a: 2', 'a: 2']);
  });

  it('contain any bytes and any text as topic', async () => {
    const [bus, elsewhere] = buses();
    const received: TopicMessage[] = [];
    const topic = 'ä ö/1 2/😀';
    await elsewhere.subscribe(application, topic, { receive: (message) => received.push(message) });
    const payload = Buffer.from([0, 255, 32, 10, 0xc3]);
    bus.publish(application, topic, payload);
    await waitUntil(async () => received.length === 1);
    expect(received[0]).toMatchObject({ applicationId: application, topic, payload });
    expect(Math.abs(received[0]!.time - Date.now())).toBeLessThan(60_000);
  });

  it('are received again after Redis has closed the connections', async () => {
    const [bus, elsewhere] = buses();
    const reader = recorder();
    await elsewhere.subscribe(application, 'a/b', reader);
    await elsewhere.subscribe(application, 'a/#', reader);
    elsewhere['receiver'].disconnect(true);
    let n = 0;
    await waitUntil(async () => {
      send(bus, 'a/b', String(n++));
      return reader.received.length > 0;
    });
  });

  it('arrive after a process hung for longer than its timeouts', async () => {
    const [, elsewhere] = buses();
    const reader = recorder();
    await elsewhere.subscribe(application, 'a/b', reader);
    const pong = elsewhere['receiver'].ping();
    const message = new TopicMessage(application, 'a/b', Buffer.from('1'), Date.now());
    const channel = elsewhere['exactChannel'](application, 'a/b');
    // From here on this process hangs.
    const frame = encodeFrame('sender', message).toString('base64');
    spawnSync(process.execPath, ['-e', PUBLISH, process.env.TEST_REDIS_URL!, channel, frame]);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
    await pong.catch(() => undefined);
    await waitUntil(async () => reader.received.length > 0);
    expect(reader.received).toEqual(['a/b: 1']);
  });
});
