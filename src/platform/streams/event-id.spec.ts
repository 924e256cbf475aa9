import { isAfter, NO_EVENT, parseEventId } from './event-id.js';

describe('Event IDs', () => {
  it.each([
    ['1795243305122-0', '1795243305121-7', true],
    ['1795243305122-10', '1795243305122-9', true],
    ['1795243305122-9', '1795243305122-10', false],
    ['1795243305122-0', '1795243305122-0', false],
    ['999-0', '1000-0', false],
    ['1-0', NO_EVENT, true],
  ])('compare %s after %s: %s', (id, other, after) => {
    expect(isAfter(id, other)).toBe(after);
  });

  it.each([
    '',
    '1',
    '1-',
    '-1',
    '1-1-1',
    'a-b',
    '1795243305122-0\n',
    `${'1'.repeat(20)}-0`,
    undefined,
    ['1-0'],
  ])('reject %j', (text) => {
    expect(parseEventId(text)).toBeUndefined();
  });

  it('are parsed unchanged', () => {
    expect(parseEventId('1795243305122-3')).toBe('1795243305122-3');
  });
});
