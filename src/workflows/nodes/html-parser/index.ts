import { ENGINE_CLASSES, type NodeKind } from '../node-kind.js';
import { run } from './run.js';

/** Finds elements of an HTML or XML document by a CSS selector. */
export const htmlParserNode: NodeKind = {
  type: 'HtmlParserNode',
  classes: ENGINE_CLASSES,
  run,
};
