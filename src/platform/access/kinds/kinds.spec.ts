import { PRINCIPAL_KINDS } from './kinds.js';

const kinds = Object.entries(PRINCIPAL_KINDS);

describe('The kinds of principals', () => {
  it('read with statements of their own', () => {
    const readings = kinds.flatMap(([, { reading }]) => [
      reading({ key: 'k' }),
      reading({ certificate: {} }),
    ]);
    const names = new Set(readings.map(({ name }) => name));
    expect(names.size).toBe(new Set(readings.map(({ sql, from }) => `${sql} ${from}`)).size);
    expect(names).toEqual(
      new Set(['user', 'application', 'instance', 'device', 'device-certificate', 'flow']),
    );
  });

  it.each(kinds)('%s: has session tokens or API tokens, whose statement names its row `u`', (name, kind) => {
    expect(kind.signsIn || kind.hasApiTokens).toBe(name !== 'flow');
    if (kind.hasApiTokens) expect(kind.reading({}).from).toMatch(/^\w+ u WHERE /);
  });
});
