import { ConnectionLimit } from './connection-limit.js';

describe('A limit of connections', () => {
  it('counts those of a network until they leave', () => {
    const limit = new ConnectionLimit({ total: 10, perNetwork: 2 });
    const leave = limit.enter('192.0.2.1');
    expect(limit.enter('192.0.2.1')).toBeDefined();
    expect(limit.enter('192.0.2.1')).toBeUndefined();
    expect(limit.enter('192.0.2.2')).toBeDefined();
    leave!();
    leave!();
    expect(limit.enter('192.0.2.1')).toBeDefined();
    expect(limit.enter('192.0.2.1')).toBeUndefined();
  });

  it('counts those of all networks', () => {
    const limit = new ConnectionLimit({ total: 3, perNetwork: 2 });
    const all = Array.from({ length: 4 }, (_, i) => limit.enter(`192.0.2.${i}`));
    expect(all.map((leave) => leave !== undefined)).toEqual([true, true, true, false]);
    all[0]!();
    expect(limit.enter('192.0.2.9')).toBeDefined();
  });
});
