import { uniqueName } from '../../../test/make/make.js';
import { redisForWorker, startApp, type TestApp } from '../../../test/setup/app.js';
import { Proxy } from '../../../test/setup/proxy.js';
import { sharedKeys } from '../../../test/make/sign-in.js';
import { suite } from '../../../test/setup/suite.js';
import { waitUntil } from '../../../test/setup/until.js';
import type { EncodedEvent } from './held-events.js';
import { Streams } from './streams.js';

const setup = suite();
const { test, other } = setup;
const here = () => test.app.get(Streams, { strict: false });
const there = () => other.app.get(Streams, { strict: false });

/** Subscribes and records the received events. */
async function listen(streams: Streams, channel: string, after?: string) {
  const events: EncodedEvent[] = [];
  const state = { missed: 0 };
  const listener = {
    receive: (event: EncodedEvent) => void events.push(event),
    missed: () => void state.missed++,
  };
  const subscription = await streams.subscribe(channel, listener, after);
  const texts = () => events.map(textOf);
  const hearsSoMany = (count: number) => waitUntil(async () => events.length >= count);
  const hears = async (expected: string[]) => {
    await hearsSoMany(expected.length);
    expect(texts()).toEqual(expected);
  };
  const misses = () => waitUntil(async () => state.missed > 0);
  return { events, state, texts, hears, hearsSoMany, misses, close: () => subscription.close() };
}

/** Returns name and data of an event. */
function textOf({ bytes }: EncodedEvent): string {
  const [, name, data] = /^id: .*\nevent: (.*)\ndata: (.*)\n\n$/.exec(bytes.toString())!;
  return `${name} ${data}`;
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

  it('are the same bytes for all subscribers of a process', async () => {
    const channel = uniqueName();
    const first = await listen(here(), channel);
    const second = await listen(here(), channel);
    here().publish(channel, numbered(1));
    await first.hearsSoMany(1);
    here().publish(channel, numbered(2));
    await second.hearsSoMany(2);
    const late = await listen(here(), channel, first.events[0]!.id);
    await late.hears(told(2));
    expect(second.events[1]!.bytes).toBe(first.events[1]!.bytes);
    expect(late.events[0]!.bytes).toBe(first.events[1]!.bytes);
    expect([first, second, late].map(({ state }) => state.missed)).toEqual([0, 0, 0]);
    for (const listener of [first, second, late]) listener.close();
  });
});

describe('Without a connection to Redis', () => {
  let proxy: Proxy;
  let cut: TestApp;
  const streams = () => cut.app.get(Streams, { strict: false });

  beforeEach(async () => {
    proxy = await Proxy.before(redisForWorker());
    cut = await startApp(sharedKeys(), { redisUrl: proxy.url });
  });

  afterEach(async () => {
    await cut.close();
    await proxy.refuse();
  });

  it('subscribers learn after the outage that they may have missed events', async () => {
    const channel = uniqueName();
    const before = await listen(streams(), channel);
    here().publish(channel, numbered(1));
    await before.hears(told(1));
    await proxy.refuse();
    const during = await listen(streams(), channel);
    here().publish(channel, numbered(2));
    await proxy.restore();
    await Promise.all([before.misses(), during.misses()]);
    const after = await listen(streams(), channel, before.events[0]!.id);
    await after.hears(told(2));
    here().publish(channel, numbered(3));
    await Promise.all([after.hears(told(2, 3)), during.hears(told(3))]);
    for (const listener of [before, during, after]) listener.close();
  });

  it('publishing does not block, and subscribers of other processes learn which channels lost events', async () => {
    const channel = uniqueName();
    const listener = await listen(here(), channel);
    proxy.stall();
    for (let n = 0; n < 5_000; n++) streams().publish(channel, numbered(n));
    await waitUntil(async () => streams()['losses'].size > 0);
    expect(listener.state.missed).toBe(0);
    await proxy.restore();
    await listener.misses();
    listener.close();
  });

  it('subscribers learn that Redis has forgotten their subscription', async () => {
    const channel = uniqueName();
    const listener = await listen(here(), channel);
    await here()['sender'].del(`${here()['prefix']}${channel}:wanted`);
    await here()['extendRegistrations']();
    await listener.misses();
    listener.close();
  });
});
