import { parseTextTemplate } from '../language/templates.js';
import { code, type Code } from './code.js';
import type { Emitter } from './emitter.js';

/**
 * A `Value` that a payload may own: what a lone reference leads to, whatever it is; else the template's text. `runtime` is
 * the namespace of a file that exports what stands in `./nodes/template`.
 */
export function templateValue(to: Emitter, template: string, runtime: Code): Code {
  return isReference(template)
    ? code`${runtime}.referred(${to.expression(template)})`
    : code`${runtime}.written(${to.text(template)})`;
}

/** Whether a template is a reference and nothing else. */
export function isReference(template: string): boolean {
  const [first, second] = parseTextTemplate(template);
  return typeof first === 'object' && second === undefined;
}
