import { encodeEvent, HeldEvents, type EncodedEvent } from './held-events.js';

const MAX = 10_000;

/** A reader that releases its events when it is disconnected. */
class Reader {
  isOpen = true;
  private readonly events: EncodedEvent[] = [];

  constructor(private readonly held: HeldEvents) {}

  take(...events: EncodedEvent[]): void {
    for (const event of events) {
      this.events.push(event);
      this.held.add(event, this);
    }
  }

  disconnect(): void {
    this.isOpen = false;
    for (const event of this.events.splice(0)) this.held.release(event, this);
  }
}

const eventOf = (size: number, n = 0) => encodeEvent(`${n}-0`, 'e', 'x'.repeat(size));

describe('Held events', () => {
  it('are counted once for all readers', () => {
    const held = new HeldEvents(MAX);
    const readers = Array.from({ length: 20 }, () => new Reader(held));
    const event = eventOf(5_000);
    for (const reader of readers) reader.take(event);
    expect(held.bytes).toBeGreaterThan(5_000);
    expect(held.bytes).toBeLessThan(8_000);
    for (const reader of readers) reader.disconnect();
    expect(held.bytes).toBe(0);
  });

  it('disconnect the slowest readers first when they exceed the maximum', () => {
    const held = new HeldEvents(MAX);
    const [slowest, slow, quick] = [new Reader(held), new Reader(held), new Reader(held)];
    const [first, second, third] = [eventOf(3_000, 1), eventOf(3_000, 2), eventOf(3_000, 3)];
    slowest.take(first, second);
    slow.take(second);
    quick.take(third);
    expect([slowest, slow, quick].map(({ isOpen }) => isOpen)).toEqual([false, true, true]);
    quick.take(eventOf(9_000, 4));
    expect([slow, quick].map(({ isOpen }) => isOpen)).toEqual([false, false]);
    expect(held.bytes).toBe(0);
  });

  it('are bounded for any number of small events', () => {
    const held = new HeldEvents(MAX);
    for (let n = 0; n < 100; n++) {
      new Reader(held).take(eventOf(1, n));
      expect(held.bytes).toBeLessThanOrEqual(MAX);
    }
  });
});
