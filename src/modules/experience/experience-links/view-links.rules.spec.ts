import { componentPattern, componentsIn } from './view-links.rules.js';

describe('componentsIn', () => {
  it.each([
    ['', []],
    ['<p>{{title}}</p>', []],
    [`{{component "alarm list"}} {{#component 'frame' this}}a{{/component}}`, ['alarm list', 'frame']],
    ['{{component "a"}}{{component  "a" b}}', ['a']],
    ['{{component name}} {{subcomponent "b"}} {{component ""}}', []],
  ])('finds in %j the components %j', (body, names) => {
    expect(componentsIn(body)).toEqual(names);
  });

  it('finds at most a thousand components', () => {
    const body = Array.from({ length: 1500 }, (_, i) => `{{component "${i}"}}`).join('');
    expect(componentsIn(body)).toHaveLength(1000);
  });
});

describe('componentPattern', () => {
  it('is null unless the view is a component', () => {
    expect(componentPattern({ viewType: 'page', name: 'a' })).toBeNull();
  });

  it('escapes the name of the component', () => {
    expect(componentPattern({ viewType: 'component', name: 'a.b_(c) é' })).toBe(
      `\\mcomponent\\s{1,16}(?:"a\\.b_\\(c\\) é"|'a\\.b_\\(c\\) é')`,
    );
  });
});
