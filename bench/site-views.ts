/** Bodies of twenty components, by name. Each prints all devices of its context. */
export const components: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: 20 }, (_, i) => [
    `part${i}`,
    `<section><h2>Part ${i}</h2><ul>{{#each devices}}<li class="{{#if description}}described{{else}}plain{{/if}}"><a href="/devices/{{id}}">{{name}}</a> {{@index}}</li>{{/each}}</ul></section>\n`,
  ]),
);

/** A page that prints all components. */
export const PAGE = `<!DOCTYPE html><html><body>${Object.keys(components)
  .map((name) => `{{component "${name}" pageData}}`)
  .join('')}</body></html>`;
