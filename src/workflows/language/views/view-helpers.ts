import { notYet } from '../../../platform/not-yet.js';
import { isIdentical, printed, valueAt } from '../evaluate.js';
import { nested, spend, templateFault, written } from '../handlebars/budget.js';
import type { BlockHelper, Helper } from '../handlebars/dialect.js';
import { RenderedText, SafeText } from '../handlebars/safe-text.js';
import { Scope } from '../handlebars/scope.js';
import { LIST_HELPERS } from '../helpers/lists.js';
import { OBJECT_HELPERS } from '../helpers/objects.js';
import { hasMembers } from '../members.js';
import { rendering } from './rendering.js';

/** Maximum depth of components within components. */
export const MAX_COMPONENT_DEPTH = 50;
/** Validity of the link to a private file, in seconds: by default, and at most. */
const FILE_TTL = 900;
const MAX_FILE_TTL = 7 * 24 * 60 * 60;

/**
 * `component name context? key=value`: renders a component. `this` is the context, by default that of the caller, and
 * `@args` are the named arguments. A component that does not exist is empty.
 */
const component: Helper = (args, { hash, scope }) => {
  const view = rendering().host.component(printed(args[0]));
  if (!view) return undefined;
  const context = args.length > 1 ? args[1] : scope.context;
  const data = scope.data.ofComponent(Object.fromEntries(hash));
  const inner = new Scope(context, undefined, data, undefined);
  return new RenderedText(nested(() => view.render(inner), MAX_COMPONENT_DEPTH));
};

/** `{{page}}` in a layout: the page. Elsewhere, the member `page` of the context. */
const page: Helper = (_args, { scope }) => {
  const text = rendering().page;
  return text === undefined ? valueAt(['page'], scope.context) : new SafeText(text);
};

/** `file path private? ttl?`: URL of a file of the application. Files that do not exist have one too. */
const file: Helper = ([path], { hash }) => {
  const isPrivate = hash.get('private') === true || hash.get('private') === 'true';
  if (!isPrivate) return rendering().host.fileUrl(printed(path));
  const ttl = Number(printed(hash.get('ttl') ?? FILE_TTL));
  if (!(ttl >= 1 && ttl <= MAX_FILE_TTL))
    throw templateFault(`The ttl of a file must be between 1 and ${MAX_FILE_TTL} seconds`);
  return rendering().host.fileUrl(printed(path), Math.trunc(ttl));
};

const HEX_COLOR = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;
const DEFAULT_COLOR = '#d33d3d';

/** `colorMarker color`: URL of the image of a pin for maps. */
const colorMarker: Helper = ([color]) => {
  const fill = HEX_COLOR.test(printed(color)) ? printed(color) : DEFAULT_COLOR;
  const image = `<svg xmlns="http://www.w3.org/2000/svg" width="27" height="43" viewBox="0 0 27 43"><path fill="${fill}" stroke="#fff" d="M13.5.5a13 13 0 0 0-13 13c0 9 13 29 13 29s13-20 13-29a13 13 0 0 0-13-13z"/><circle cx="13.5" cy="13.5" r="5" fill="#fff"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(image).toString('base64')}`;
};

/** Helpers that only views have, and those of which views have another form. */
export const VIEW_HELPERS: Readonly<Record<string, Helper>> = {
  // Views compare by `===`.
  eq: ([one, other]) => isIdentical(one, other),
  ne: ([one, other]) => !isIdentical(one, other),
  includes: (args, call) => LIST_HELPERS.includes!([valuesOf(args[0]), args[1]], call),
  jsonDecode: (args, call) => {
    try {
      return OBJECT_HELPERS.jsonDecode!(args, call);
    } catch {
      return undefined;
    }
  },
  component,
  page,
  file,
  colorMarker,
  section: ([name]) => sectionOf(name),
  dashboardUrl: ([id], { hash }) => rendering().host.dashboardUrl(printed(id), Object.fromEntries(hash)),
  element: () => new SafeText(notYet('dashboards', '<p role="note">Dashboards are not available yet.</p>')),
};

/** Returns the values of an object, and any other value as it is. */
function valuesOf(collection: unknown): unknown {
  if (!hasMembers(collection)) return collection;
  const values = Object.values(collection);
  spend(values.length);
  return values;
}

const sectionOf = (name: unknown): SafeText | undefined => {
  const text = rendering().sections.get(printed(name));
  return text === undefined ? undefined : new SafeText(text);
};

/** `{{#section 'x'}}default{{/section}}`: what the page has filled, or the default. */
const section: BlockHelper = ([name], _call, body) => {
  const text = sectionOf(name)?.text;
  return text === undefined ? body() : written(text);
};

/** `{{#fillSection 'x'}}…{{/fillSection}}`: fills a section of the layout. Layouts and their components fill none. */
const fillSection: BlockHelper = ([name], _call, body) => {
  const { page: rendered, sections } = rendering();
  if (rendered === undefined) sections.set(printed(name), body());
  return '';
};

/** Blocks that only views have. */
export const VIEW_BLOCKS: Readonly<Record<string, BlockHelper>> = { fillSection, section };
