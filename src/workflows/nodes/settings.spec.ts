import * as setting from './settings.js';

const fault = (read: setting.Setting<unknown>, value: unknown) => () => read(value, 'member');

describe('settings', () => {
  it.each([
    [setting.text, {}, 'config.member must be a string'],
    [setting.template, '{{a', 'config.member has '],
    [setting.path, 'a..b', 'config.member is not a path'],
    [setting.expression, '1 +', 'config.member ends'],
    [setting.number(), [1], 'config.member must be a string'],
    [setting.flag(), 'true', 'config.member must be a boolean'],
    [setting.word('a', 'b'), 'c', 'config.member must be one of a, b'],
    [setting.list(setting.text, 1), 'a', 'config.member must be an array'],
    [setting.list(setting.text, 1), ['a', 'b'], 'config.member must have at most 1 entries'],
    [setting.list(setting.text, 1), [{}], 'config.member.0 must be a string'],
    [setting.group({ a: setting.text }), [], 'config.member must be an object'],
    [setting.group({ a: setting.text }), { a: [] }, 'config.member.a must be a string'],
    [setting.variant('type', { a: setting.group({}) }), {}, 'config.member.type is required'],
    [
      setting.variant('type', { a: setting.group({}) }),
      { type: 'constructor' },
      'config.member.type must be',
    ],
  ])('names the member that cannot be used (%#)', (read, value, message) => {
    expect(fault(read, value)).toThrow(message);
  });

  it.each([undefined, null, ''])('accepts %j in place of any member', (value) => {
    const read = setting.group({
      text: setting.text,
      flag: setting.flag(true),
      word: setting.word('a', 'b'),
      list: setting.list(setting.text, 1),
      group: setting.group({ inner: setting.text }),
      variant: setting.variant('type', { a: setting.group({}) }, 'a'),
      none: setting.optional(setting.template),
    });
    const given = Object.fromEntries(
      ['text', 'flag', 'word', 'list', 'group', 'variant', 'none'].map((k) => [k, value]),
    );
    expect(read(given, '')).toEqual({
      text: '',
      flag: true,
      word: 'a',
      list: [],
      group: { inner: '' },
      variant: { type: 'a' },
      none: undefined,
    });
  });

  it('reads a text in the form that another member names', () => {
    const read = setting.formed('type', 'member', 'json', 'path', 'string');
    const of = (type: string | undefined, member: string) => read({ type, member }, 'at').member?.({ n: 1 });
    expect([of('json', '[{{n}}]'), of('path', 'n'), of('string', 'n is {{n}}')]).toEqual([[1], 1, 'n is 1']);
    expect([of(undefined, '{{n}}'), of('path', '')]).toEqual([1, undefined]);
    expect(() => of('template', 'n')).toThrow('config.at.type must be one of json, path, string');
    expect(() => of('path', 'a..b')).toThrow('config.at.member is not a path');
  });

  it('yields empty values of absent texts', () => {
    expect(setting.template(undefined, 'a')({})).toBe('');
    expect(setting.expression(undefined, 'a')({})).toBe(false);
    expect(setting.path(undefined, 'a')({})).toBeUndefined();
    expect(setting.number()(undefined, 'a')({})).toBeNaN();
    expect(setting.number(5)('{{none}}', 'a')({})).toBe(5);
    expect(setting.looseJson(undefined, 'a')({})).toBeUndefined();
  });

  it('fails when a required member is absent, not when it is read', () => {
    expect(() => setting.requiredTemplate('{{none}}', 'a')({})).toThrow('a is required');
    expect(setting.requiredTemplate(' ', 'a')({})).toBe(' ');
    expect(() => setting.required(setting.path)('', 'a')({})).toThrow('a is required');
    expect(() => setting.json('{', 'a')({})).toThrow('a is not JSON');
  });
});
