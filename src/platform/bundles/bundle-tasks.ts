import { checkOut, changedTrees } from './repository-tasks.js';
import { yamlItem } from './bundle-yaml.js';
import { mapTexts, TextPlaceholders } from './placeholders.js';
import { yamlValue } from './yaml-values.js';

/** Texts of one YAML file. */
export interface YamlTexts {
  /** Path of the file for messages. */
  at: string;
  /** Texts, with the line of the file at which each starts. */
  texts: readonly { text: string; line: number }[];
  /** Maximum depth of a value. */
  maxDepth: number;
}

/** Text and the placeholders of the texts in it. */
export interface PlaceholderText {
  text: string;
  placeholders: readonly (readonly [string, string])[];
}

/** The tasks of the processes for bundles, see `BundleWork`. */
export const BUNDLE_TASKS = {
  /** Returns the values as JSON, which the platform can parse faster than it can receive objects. */
  readYaml: ({ at, texts, maxDepth }: YamlTexts): string[] =>
    texts.map(({ text, line }) => JSON.stringify(yamlValue(text, at, line, maxDepth))),
  /** The text is the resource as JSON. */
  writeYaml: ({ text, placeholders, indent }: PlaceholderText & { indent: number }): string => {
    const known = new TextPlaceholders(placeholders);
    return yamlItem(mapTexts(JSON.parse(text), (each) => known.replaceIn(each)) as object, indent);
  },
  replaceTexts: ({ text, placeholders }: PlaceholderText): string =>
    new TextPlaceholders(placeholders).replaceIn(text),
  checkOut,
  changedTrees,
};

export type BundleTasks = typeof BUNDLE_TASKS;
