import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

/** Long lines stay whole, and no value stands for another. */
const STYLE = { lineWidth: 0, aliasDuplicateObjects: false } as const;
/** In JSON, a line of a text that has spaces alone: in a block of YAML it would be read as another. */
const BLANK_LINE = /(?:"|\\n)(?: |\\t)+(?:\\n|")/;

/** What stands before the resources of a file; they are indented by two. */
export const yamlOpening = (resourceType: string): string => `resourceType: ${resourceType}\nresources:\n`;

/** What stands behind them. */
export const YAML_CLOSING = 'version: 1\n';

/** A resource as an item of a list that is indented by so many spaces, with the hash of what it is. */
export function yamlItem(resource: object, indent = 2): string {
  const json = JSON.stringify(resource);
  const exportHash = createHash('sha256').update(json).digest('hex');
  const text = stringify([{ ...resource, exportHash }], { ...STYLE, blockQuote: !BLANK_LINE.test(json) });
  // Lines end with `\n` alone here: other line ends are content.
  return text.replace(/(^|\n)(?=[^\n])/g, `$1${' '.repeat(indent)}`);
}
