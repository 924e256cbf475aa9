import handlebars from 'handlebars';
import { Scope } from '../handlebars/scope.js';
import { prepareView } from './view-dialect.js';

const CONTEXT = {
  name: 'Ada <b>',
  dude: { name: 'Bob', url: 'b&c' },
  people: [
    { name: 'Ada', age: 1 },
    { name: 'Bob', age: 2, pets: [{ name: 'Rex' }] },
  ],
  which: 'p',
};

/** Templates whose partials are all inline. */
const CASES = [
  '{{#*inline "p"}}success{{/inline}}{{> p}}',
  '{{> p}}{{#*inline "p"}}defined later{{/inline}}',
  '{{#*inline "p"}}a{{/inline}}{{#*inline "p"}}b{{/inline}}{{> p}}',
  '{{#*inline "p"}}outer{{/inline}}{{#with dude}}{{#*inline "p"}}inner{{/inline}}{{> p}}{{/with}}{{> p}}',
  '{{#*inline "p"}}{{name}} {{{name}}}{{/inline}}{{> p}} {{> p dude}}',
  '{{#*inline "p"}}{{name}}-{{age}}-{{x}}{{/inline}}{{> p dude x="y"}}{{> p x=name}}',
  '{{#*inline "p"}}[{{name}}]{{/inline}}{{#each people}}{{> p}}{{> p this}}{{> p ../dude}}{{/each}}',
  '{{#*inline "p"}}{{@index}}{{@first}}{{@last}}{{@key}}{{/inline}}{{#each people}}{{> p}}{{/each}}',
  '{{#*inline "p"}}{{@root.name}}{{/inline}}{{#each people}}{{> p}}{{/each}}',
  '{{#*inline "p"}}{{name}}{{/inline}}{{> (lookup . "which")}}',
  '{{#*inline "p"}}{{#if pets}}{{#each pets}}{{> q}}{{/each}}{{else}}none{{/if}}{{/inline}}{{#*inline "q"}}<{{name}}>{{/inline}}{{#each people}}{{> p}}{{/each}}',
  '{{#*inline "p"}}a{{> q}}{{/inline}}{{#*inline "q"}}b{{/inline}}{{> p}}',
  '{{#*inline "p"}}{{name}}{{#each pets}}({{> p}}){{/each}}{{/inline}}{{#each people}}{{> p}}{{/each}}',
  '{{#*inline "p"}}{{#*inline "q"}}inner{{/inline}}{{> q}}{{/inline}}{{> p}}',
  '{{#*inline "p"}}{{person.name}}{{i}}{{/inline}}{{#each people as |person i|}}{{> p}}{{> p person=person i=i}}{{/each}}',
  '{{#*inline "a-b"}}x{{/inline}}{{> a-b}}',
  '{{#*inline "a b"}}x{{/inline}}{{> "a b"}}',
  '{{#*inline "p"}}line\nother {{name}}\n{{/inline}}<\n  {{> p}}\n>',
  '{{#*inline "p"}}\nline\n{{/inline}}\n<{{> p}}>',
  '{{#*inline "p"}}a{{/inline}}\n\n{{~> p~}}\n\nb',
  '{{#*inline "p"}}{{#each people}}\n{{name}}\n{{/each}}{{/inline}}\n\t{{> p}}\nend',
  '{{#with dude}}{{#*inline "p"}}{{url}}{{../name}}{{/inline}}{{> p}}{{/with}}',
  '{{#if name}}{{#*inline "p"}}if{{/inline}}{{> p}}{{else}}{{> p}}{{/if}}',
  '{{#> p}}default{{/p}}',
  '{{#*inline "p"}}own{{/inline}}{{#> p}}default{{/p}}',
  '{{#*inline "p"}}<{{> @partial-block}}>{{/inline}}{{#> p}}{{name}}{{/p}}',
  '{{#*inline "p"}}<{{#with dude}}{{> @partial-block}}{{/with}}>{{/inline}}{{#> p}}{{name}}{{/p}}',
];

it.each(CASES)('%j has the text that Handlebars has', (template) => {
  expect(prepareView(template).render(Scope.root(CONTEXT))).toBe(handlebars.compile(template)(CONTEXT));
});

it.each([
  '{{#with dude}}{{#*inline "p"}}x{{/inline}}{{/with}}{{> p}}',
  '{{> p}}',
  '{{#*inline "p"}}x{{/inline}}{{> (lookup . "none")}}',
])('%j fails, as in Handlebars', (template) => {
  expect(() => handlebars.compile(template)(CONTEXT)).toThrow();
  expect(() => prepareView(template).render(Scope.root(CONTEXT))).toThrow();
});
