import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

/** Long lines are not wrapped, and no aliases are used. */
const STYLE = { lineWidth: 0, aliasDuplicateObjects: false } as const;
/** Matches, in JSON, a line that consists only of whitespace: a YAML block scalar would not preserve it. */
const BLANK_LINE = /(?:"|\\n)(?: |\\t)+(?:\\n|")/;

/** Opening of a file; the resources that follow are indented by two. */
export const yamlOpening = (resourceType: string): string => `resourceType: ${resourceType}\nresources:\n`;

/** Closing of a file, after the resources. */
export const YAML_CLOSING = 'version: 1\n';

/** Returns a resource as an item of a list with this indentation, including the hash of its content. */
export function yamlItem(resource: object, indent = 2): string {
  const json = JSON.stringify(resource);
  const exportHash = createHash('sha256').update(json).digest('hex');
  const text = stringify([{ ...resource, exportHash }], { ...STYLE, blockQuote: !BLANK_LINE.test(json) });
  // Only `\n` ends a line here: other line endings are content.
  return text.replace(/(^|\n)(?=[^\n])/g, `$1${' '.repeat(indent)}`);
}
