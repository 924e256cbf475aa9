import { uniqueName } from '../../../test/make/make.js';
import { redisForWorker, startApp } from '../../../test/setup/app.js';
import { Proxy } from '../../../test/setup/proxy.js';
import { sharedKeys } from '../../../test/make/sign-in.js';
import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';
import { Streams, type ReceivedEvent } from './streams.js';

const setup = suite();
const { test, other } = setup;
const here = () => test.app.get(Streams, { strict: false });
const there = () => other.app.get(Streams, { strict: false });

/** Subscribes and records the received events. */
async function listen(streams: Streams, channel: string, after?: string) {
  const events: ReceivedEvent[] = [];
  const subscription = await streams.subscribe(channel, (event) => events.push(event), after);
  const texts = () => events.map(({ name, data }) => `${name} ${data}`);
  const hearsSoMany = (count: number) => waitUntil(async () => events.length >= count);
  const hears = async (expected: string[]) => {
    await hearsSoMany(expected.length);
    expect(texts()).toEqual(expected);
  };
  return { events, texts, hears, hearsSoMany, close: () => subscription.close() };
}

const numbered = (n: number) => ({ name: 'count', data: { n } });
const told = (...numbers: number[]) => numbers.map((n) => `count {"n":${n}}`);

describe('Events of a channel', () => {
  it('reach all subscribers in all processes in order', async () => {
    const channel = uniqueName();
    const listeners = await Promise.all([
      listen(here(), channel),
      listen(here(), channel),
      listen(there(), channel),
    ]);
    const stranger = await listen(there(), uniqueName());
    for (let n = 0; n < 20; n++) here().publish(channel, numbered(n));
    const all = told(...Array.from({ length: 20 }, (_, n) => n));
    for (const { hears } of listeners) await hears(all);
    expect(stranger.events).toEqual([]);
    const ids = listeners.map(({ events }) => events.map(({ id }) => id));
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
    for (const listener of [...listeners, stranger]) listener.close();
  });

  it('continue in another process after the last received event', async () => {
    const channel = uniqueName();
    const first = await listen(here(), channel);
    for (const n of [1, 2, 3]) there().publish(channel, numbered(n));
    await first.hearsSoMany(3);
    first.close();
    there().publish(channel, numbered(4));
    const witness = await listen(here(), channel, first.events[0]!.id);
    await witness.hears(told(2, 3, 4));
    const second = await listen(there(), channel, first.events[1]!.id);
    here().publish(channel, numbered(5));
    await second.hears(told(3, 4, 5));
    witness.close();
    second.close();
  });

  it('exclude earlier events for new subscribers', async () => {
    const channel = uniqueName();
    const first = await listen(here(), channel);
    here().publish(channel, numbered(1));
    await first.hearsSoMany(1);
    const second = await listen(there(), channel);
    here().publish(channel, numbered(2));
    await second.hears(told(2));
    first.close();
    second.close();
  });

  it('are kept for returning subscribers, up to a limit', async () => {
    const channel = uniqueName();
    const first = await listen(here(), channel);
    for (let n = 0; n <= 150; n++) here().publish(channel, numbered(n));
    await first.hearsSoMany(151);
    const second = await listen(here(), channel, first.events[0]!.id);
    expect(second.texts()).toEqual(told(...Array.from({ length: 100 }, (_, n) => n + 51)));
    const large = { name: 'large', data: 'x'.repeat(100_000) };
    for (let n = 0; n < 5; n++) here().publish(channel, large);
    await first.hearsSoMany(156);
    const third = await listen(here(), channel, first.events[0]!.id);
    expect(third.events).toHaveLength(2);
    for (const listener of [first, second, third]) listener.close();
  });
});

describe('Without a connection to Redis', () => {
  it('publishing does not block, and subscribers continue after the outage with the events they missed', async () => {
    const proxy = await Proxy.before(redisForWorker());
    const cut = await startApp(sharedKeys(), { redisUrl: proxy.url });
    try {
      const channel = uniqueName();
      const streams = cut.app.get(Streams, { strict: false });
      const before = await listen(streams, channel);
      here().publish(channel, numbered(1));
      await before.hears(told(1));
      await proxy.refuse();
      for (let n = 0; n < 5_000; n++) streams.publish(channel, numbered(-n));
      const during = await listen(streams, channel);
      const witness = await listen(here(), channel);
      here().publish(channel, numbered(2));
      await witness.hearsSoMany(1);
      expect(before.texts()).toEqual(told(1));
      await proxy.restore();
      await before.hears(told(1, 2));
      here().publish(channel, numbered(3));
      await before.hears(told(1, 2, 3));
      await waitUntil(async () => during.texts().at(-1) === told(3)[0]);
      for (const listener of [before, during, witness]) listener.close();
    } finally {
      await cut.close();
      await proxy.refuse();
    }
  });
});
