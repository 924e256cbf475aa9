import { componentPattern, componentsIn } from './view-links.rules.js';

describe('The components of a template', () => {
  it.each([
    ['', []],
    ['<p>{{title}}</p>', []],
    [`{{component "alarm list"}} {{#component 'frame' this}}a{{/component}}`, ['alarm list', 'frame']],
    ['{{component "a"}}{{component  "a" b}}', ['a']],
    ['{{component name}} {{subcomponent "b"}} {{component ""}}', []],
  ])('of %j are %j', (body, names) => {
    expect(componentsIn(body)).toEqual(names);
  });

  it('are a thousand at most', () => {
    const body = Array.from({ length: 1500 }, (_, i) => `{{component "${i}"}}`).join('');
    expect(componentsIn(body)).toHaveLength(1000);
  });
});

describe('The pattern of a component', () => {
  it('is of components alone', () => {
    expect(componentPattern({ viewType: 'page', name: 'a' })).toBeNull();
  });

  it('takes its name for text', () => {
    expect(componentPattern({ viewType: 'component', name: 'a.b_(c) é' })).toBe(
      `\\mcomponent\\s{1,16}(?:"a\\.b_\\(c\\) é"|'a\\.b_\\(c\\) é')`,
    );
  });
});
