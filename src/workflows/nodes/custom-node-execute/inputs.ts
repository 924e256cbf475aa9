import { PatternError } from '../../../lib/regexp/search.js';
import { SafePattern } from '../../../lib/regexp/safe-pattern.js';
import type { CustomNodeConfig } from '../../graph/graph.js';
import { invalidSetting } from '../../engine/run-error.js';
import { compileJson, compilePath, compileTemplate, type Compiled } from '../../language/compile.js';
import { text } from '../settings.js';

/** Reads the inputs of a custom node, by the IDs of its fields, from the payload of the caller. */
export type Inputs = Compiled<Readonly<Record<string, unknown>>>;

/** Field of a custom node; its members depend on its type. */
interface Field {
  readonly id: string;
  readonly type: string;
  readonly required?: boolean;
  readonly defaultValue?: unknown;
  readonly validRegExp?: string;
  readonly validMin?: number;
  readonly validMax?: number;
}

/** Prepares the inputs of a custom node from the texts that the caller has for its fields. */
export function compileInputs(
  fields: CustomNodeConfig['fields'],
  values: ReadonlyMap<string, unknown>,
): Inputs {
  const inputs = fields.flatMap((field) => {
    const { id = '', type } = field;
    const compile = INPUTS.get(type);
    return compile && id !== '' && id !== '__proto__'
      ? [[id, compile(field as unknown as Field, values.get(id))] as const]
      : [];
  });
  return (payload) => {
    const read = inputs.map(([id, input]) => [id, input(payload)] as const);
    return Object.fromEntries(read.filter(([, value]) => value !== undefined));
  };
}

type Input = (field: Field, value: unknown) => Compiled<unknown>;

/** Inputs by type of field. A section has none. */
const INPUTS: ReadonlyMap<unknown, Input> = new Map(
  Object.entries<Input>({
    stringTemplate: (field, value) => {
      const render = compileTemplate(text(value, field.id));
      const check = checkPattern(field);
      const given: Compiled<string | undefined> = (payload) => {
        const rendered = render(payload);
        if (rendered === '') return undefined;
        check(rendered);
        return rendered;
      };
      return withDefault(field, given, field.defaultValue);
    },
    numberTemplate: (field, value) => {
      const render = compileTemplate(text(value, field.id));
      const { id, validMin = -Infinity, validMax = Infinity } = field;
      const given: Compiled<number | undefined> = (payload) => {
        const rendered = render(payload).trim();
        if (rendered === '') return undefined;
        const number = Number(rendered);
        if (number >= validMin && number <= validMax) return number;
        throw invalidSetting(id, `must be a number from ${validMin} to ${validMax}`);
      };
      return withDefault(field, given, field.defaultValue);
    },
    jsonTemplate: (field, value) => {
      const template = text(value, field.id);
      const [render, parse] = [compileTemplate(template), compileJson(template)];
      const given: Compiled<unknown> = (payload) =>
        render(payload).trim() === '' ? undefined : parseWith(field, () => parse(payload));
      const { defaultValue = '' } = field;
      const otherwise =
        defaultValue === '' ? undefined : parseWith(field, () => JSON.parse(String(defaultValue)) as unknown);
      return withDefault(field, given, otherwise);
    },
    // Only the path is required. A payload without a value there is as good as any other.
    payloadPath: (field, value) => {
      const path = text(value, field.id);
      return path === '' ? withDefault(field, () => undefined, undefined) : compilePath(path);
    },
    // The values of these are no templates.
    select: (field, value) => withDefault(field, () => value, field.defaultValue),
    checkbox: (field, value) => withDefault(field, () => value, field.defaultValue),
  }),
);

/** Returns an input that has a default, or fails the run if it is required and has none. */
function withDefault(
  { id, required }: Field,
  given: Compiled<unknown>,
  otherwise: unknown,
): Compiled<unknown> {
  return (payload) => {
    const value = given(payload);
    if (value !== undefined && value !== '') return value;
    if (otherwise !== undefined && otherwise !== '') return otherwise;
    if (required) throw invalidSetting(id, 'is required');
    return undefined;
  };
}

/** Returns a check that fails the run for a text that does not match. */
function checkPattern({ id, validRegExp = '' }: Field): (text: string) => void {
  if (validRegExp === '') return () => undefined;
  let pattern: SafePattern | undefined;
  return (text) => {
    try {
      pattern ??= new SafePattern(validRegExp);
      if (pattern.test(text)) return;
    } catch (error) {
      throw error instanceof PatternError ? invalidSetting(id, error.message) : error;
    }
    throw invalidSetting(id, `must match ${validRegExp}`);
  };
}

function parseWith({ id }: Field, parse: () => unknown): unknown {
  try {
    return parse();
  } catch (error) {
    throw error instanceof SyntaxError ? invalidSetting(id, `is not JSON: ${error.message}`) : error;
  }
}
