import { MessageWindows, WINDOW_MS } from './message-windows.js';

const NOW = 1_000_000;
const admitted = (windows: MessageWindows, count: number, now: number, topic?: string) =>
  Array.from({ length: count }, () => windows.admits(now, topic)).filter(Boolean).length;

describe('Windows of messages', () => {
  it('admit a number of messages on each topic, and begin with the first one', () => {
    const windows = new MessageWindows({ perClient: 0, perTopic: 30 });
    expect(admitted(windows, 1, NOW, 'a')).toBe(1);
    expect(admitted(windows, 40, NOW + WINDOW_MS - 1, 'a')).toBe(29);
    expect(admitted(windows, 40, NOW + WINDOW_MS - 1, 'b')).toBe(30);
    expect(admitted(windows, 40, NOW + WINDOW_MS, 'a')).toBe(30);
  });

  it('admit a number of packets of a client in total', () => {
    const windows = new MessageWindows({ perClient: 100, perTopic: 30 });
    for (const topic of ['a', 'b', 'c', undefined, 'd']) admitted(windows, 20, NOW, topic);
    expect(windows.admits(NOW, 'e')).toBe(false);
    expect(windows.admits(NOW + WINDOW_MS, 'e')).toBe(true);
  });

  it('without limits admit everything, and remember nothing', () => {
    const windows = new MessageWindows({ perClient: 0, perTopic: 0 });
    expect(admitted(windows, 1_000, NOW, 'a')).toBe(1_000);
    expect(windows['topics'].size).toBe(0);
  });

  it('forget topics that are not used any more', () => {
    const windows = new MessageWindows({ perClient: 0, perTopic: 1 });
    for (let n = 0; n < 5_000; n++) windows.admits(NOW + n * 100, `topic ${n}`);
    expect(windows['topics'].size).toBeLessThanOrEqual(301);
  });
});
