import { componentsIn } from './view-components.js';

it.each([
  ['<h1>{{title}}</h1>', []],
  ['{{component "pump"}}', ['pump']],
  [`{{ component 'pump' data }}{{#component "menu"}}x{{/component}}{{~component "pump"~}}`, ['pump', 'menu']],
  ['{{component pump}} component "pump" {{components "pump"}}', []],
  ['{{component "a b"', ['a b']],
])('The components in %s are %j', (body, names) => {
  expect(componentsIn(body)).toEqual(names);
});
