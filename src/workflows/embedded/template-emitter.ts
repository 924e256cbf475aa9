import { parseTextTemplate } from '../language/templates.js';
import { code, type Code } from './code.js';
import type { Emitter } from './emitter.js';

/**
 * Returns code for an unshared `Value`: the value of a single reference, whatever its type, otherwise the rendered
 * text. `runtime` is the namespace of a file that exports the contents of `runtime/template-value`.
 */
export function templateValue(to: Emitter, template: string, runtime: Code): Code {
  return isReference(template)
    ? code`${runtime}.referred(${to.expression(template)})`
    : code`${runtime}.written(${to.text(template)})`;
}

/** Checks whether a template is a single reference. */
export function isReference(template: string): boolean {
  const [first, second] = parseTextTemplate(template);
  return typeof first === 'object' && second === undefined;
}

/** Returns code for a path, or null if it is not set. */
export function optionalPath(to: Emitter, path: string | undefined): Code {
  return path ? to.path(path) : code`null`;
}
