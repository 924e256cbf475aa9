import {
  compileBody,
  compileExpression,
  compileItem,
  compileJson,
  compileJsonText,
  compileNumber,
  compilePath,
  compileTemplate,
  compileValue,
  type Compiled,
} from '../language/compile.js';
import type { Payload } from '../engine/payload.js';
import { invalidSetting } from '../engine/run-error.js';
import { parsePath } from '../language/paths.js';
import { SyntaxFault } from '../language/syntax-fault.js';
import { ConfigFault, IncompleteConfig } from './config-fault.js';

/**
 * Reads one member of the configuration of a node that the engine runs, and prepares it for any number of payloads.
 * `at` names the member. Throws a `ConfigFault` for a value that is refused when a workflow is saved: another type, or a
 * text that cannot be parsed. Editors save incomplete nodes, so an absent or blank member is accepted; if it is
 * required, the run fails.
 */
export type Setting<T> = (value: unknown, at: string) => T;

/** What a setting is read as. */
export type Read<S> = S extends Setting<infer T> ? T : never;

/** Writes a value to the payload; see `Payload.set`. */
export type Target = (payload: Payload, value: unknown, isApart?: boolean) => void;

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;
const isBlank = (value: unknown): boolean => isAbsent(value) || value === '';

/** Text that is used as it is. Empty if absent. */
export const text: Setting<string> = (value, at) => {
  if (isAbsent(value)) return '';
  if (typeof value === 'string') return value;
  // Editors and exports have numbers and flags in place of templates, too.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new ConfigFault(at, 'must be a string');
};

/** `true` or `false`; `otherwise` if absent. */
export const flag =
  (otherwise = false): Setting<boolean> =>
  (value, at) => {
    if (isBlank(value)) return otherwise;
    if (typeof value !== 'boolean') throw new ConfigFault(at, 'must be a boolean');
    return value;
  };

/** One of several words; the first if absent. */
export const word =
  <W extends string>(...words: readonly [W, ...W[]]): Setting<W> =>
  (value, at) => {
    if (isBlank(value)) return words[0];
    const found = words.find((one) => one === value);
    if (found === undefined) throw new ConfigFault(at, `must be one of ${words.join(', ')}`);
    return found;
  };

/** Returns a setting whose text is compiled. */
function compiled<T>(compile: (text: string) => T): Setting<T> {
  return (value, at) => {
    try {
      return compile(text(value, at));
    } catch (error) {
      throw error instanceof SyntaxFault ? new ConfigFault(at, error.message) : error;
    }
  };
}

/** Template of a text. Renders an empty text if absent. */
export const template: Setting<Compiled<string>> = compiled(compileTemplate);

/** Template of a text that must not be empty. */
export const requiredTemplate: Setting<Compiled<string>> = (value, at) => {
  const render = template(value, at);
  return (payload) => {
    const rendered = render(payload);
    if (rendered === '') throw invalidSetting(at, 'is required');
    return rendered;
  };
};

/** Template of any value: one reference alone yields the value itself. */
export const value: Setting<Compiled<unknown>> = compiled(compileValue);

/** Template of a text, or one reference alone to an object or list, which it yields. */
export const body: Setting<Compiled<unknown>> = compiled(compileBody);

/** Template of any value. Texts other than one reference alone are parsed if they are JSON. */
export const item: Setting<Compiled<unknown>> = compiled(compileItem);

/** Returns a setting whose run fails if its template renders to a text that is no JSON. */
const strict =
  <T>(setting: Setting<Compiled<T>>): Setting<Compiled<T>> =>
  (raw, at) => {
    const parse = setting(raw, at);
    return (payload) => {
      try {
        return parse(payload);
      } catch (error) {
        throw error instanceof SyntaxError ? invalidSetting(at, `is not JSON: ${error.message}`) : error;
      }
    };
  };

/** Template of a JSON document. The run fails if it renders to another text. */
export const json: Setting<Compiled<unknown>> = strict(compiled(compileJson));

/** Like `json`, but yields the text of the document as its author wrote it. */
export const jsonText: Setting<Compiled<string>> = strict(compiled(compileJsonText));

/** Template of a JSON document. Yields `undefined` if it renders to another text. */
export const looseJson: Setting<Compiled<unknown>> = (setting, at) => {
  const parse = compiled(compileJson)(setting, at);
  return (payload) => {
    try {
      return parse(payload);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  };
};

/** Number, or template of one. Yields `otherwise` if it renders to an empty text, and NaN if it renders to no number. */
export const number = (otherwise = NaN): Setting<Compiled<number>> =>
  compiled((text) => compileNumber(text, otherwise));

/** Expression. Yields `false` if absent. */
export const expression: Setting<Compiled<unknown>> = compiled(compileExpression);

/** Path into the payload. Yields `undefined` if absent. */
export const path: Setting<Compiled<unknown>> = compiled(compilePath);

/** Path of a value that is removed from the payload and returned. Removes nothing if absent. */
export const removal: Setting<(payload: Payload) => unknown> = compiled((at) => {
  if (at.trim() === '') return () => undefined;
  const from = parsePath(at);
  return (payload) => {
    const removed = payload.get(from);
    payload.remove(from);
    return removed;
  };
});

/** Path that a value is written to. Writes nothing if absent. */
export const target: Setting<Target> = compiled((at) => {
  if (at.trim() === '') return () => undefined;
  const to = parsePath(at);
  return (payload, written, isApart) => payload.set(to, written, isApart);
});

/** Fails the run if the member is absent or blank when it is used. */
export const required =
  <F extends (...args: never[]) => unknown>(setting: Setting<F>): Setting<F> =>
  (raw, at) => {
    if (!isBlank(raw)) return setting(raw, at);
    return ((): never => {
      throw invalidSetting(at, 'is required');
    }) as unknown as F;
  };

/** Reads a member as `undefined` if it is absent or blank. */
export const optional =
  <T>(setting: Setting<T>): Setting<T | undefined> =>
  (raw, at) =>
    isBlank(raw) ? undefined : setting(raw, at);

/** List of at most `max` items. Empty if absent. */
export const list =
  <T>(entry: Setting<T>, max: number): Setting<readonly T[]> =>
  (raw, at) => {
    if (isBlank(raw)) return [];
    if (!Array.isArray(raw)) throw new ConfigFault(at, 'must be an array');
    if (raw.length > max) throw new ConfigFault(at, `must have at most ${max} entries`);
    return raw.map((one, i) => entry(one, `${at}.${i}`));
  };

type Members = Readonly<Record<string, Setting<unknown>>>;

/** Object with settings as members. Other members are ignored, because exports of editors contain more than is read. */
export const group =
  <M extends Members>(members: M): Setting<{ readonly [K in keyof M]: Read<M[K]> }> =>
  (raw, at) => {
    const given = record(raw, at);
    const read = Object.entries(members).map(([name, setting]) => [
      name,
      setting(memberOf(given, name), memberAt(at, name)),
    ]);
    return Object.fromEntries(read) as { readonly [K in keyof M]: Read<M[K]> };
  };

type All<S> = S extends readonly [infer First, ...infer Others] ? Read<First> & All<Others> : unknown;

/** Members of several objects in one. */
export const all =
  <S extends readonly Setting<object>[]>(...parts: S): Setting<All<S>> =>
  (raw, at) =>
    Object.assign({}, ...parts.map((part) => part(raw, at))) as All<S>;

type Forms = Readonly<Record<string, Setting<object>>>;

/**
 * Object whose other members depend on the word in its member `key`; `otherwise` is the word if absent. Without
 * `otherwise`, an absent word throws an `IncompleteConfig`.
 */
export const variant =
  <K extends string, F extends Forms>(
    key: K,
    forms: F,
    otherwise?: keyof F & string,
  ): Setting<{ [W in keyof F]: { readonly [_ in K]: W } & Read<F[W]> }[keyof F]> =>
  (raw, at) => {
    const given = memberOf(record(raw, at), key);
    const chosen = isBlank(given) ? otherwise : given;
    if (chosen === undefined) throw new IncompleteConfig(memberAt(at, key), 'is required');
    if (typeof chosen !== 'string' || !Object.hasOwn(forms, chosen))
      throw new ConfigFault(memberAt(at, key), `must be one of ${Object.keys(forms).join(', ')}`);
    return { ...forms[chosen]!(raw, at), [key]: chosen } as never;
  };

/** Forms of a text, by the words that editors have for them. */
const FORMS = {
  string: template,
  stringTemplate: template,
  template,
  json,
  jsonTemplate: json,
  path,
  jsonPath: path,
} as const;
type Form = keyof typeof FORMS;

type Formed<N extends string> = Setting<{ readonly [_ in N]: Compiled<unknown> | undefined }>;

/** Object with a member `name` in the form that its member `key` determines. `undefined` if absent or blank. */
const formedBy =
  <N extends string>(key: string, name: N, formOf: Setting<Setting<Compiled<unknown>>>): Formed<N> =>
  (raw, at) => {
    const given = record(raw, at);
    const form = optional(formOf(memberOf(given, key), memberAt(at, key)));
    return { [name]: form(memberOf(given, name), memberAt(at, name)) } as never;
  };

/** Object with a member `name` in the form that its member `key` names: one of several, the first if absent. */
export const formed = <N extends string>(
  key: string,
  name: N,
  ...forms: readonly [Form, ...Form[]]
): Formed<N> => formedBy(key, name, (given, at) => FORMS[word(...forms)(given, at)]);

/** Object with a member `name` that is a path if its member `key` is `payloadPath`, and else in another form. */
export const pathOr = <N extends string>(
  otherwise: Setting<Compiled<unknown>>,
  key: string,
  name: N,
): Formed<N> => formedBy(key, name, (given) => (given === 'payloadPath' ? path : otherwise));

function record(raw: unknown, at: string): Readonly<Record<string, unknown>> {
  if (isBlank(raw)) return {};
  if (typeof raw !== 'object' || Array.isArray(raw)) throw new ConfigFault(at, 'must be an object');
  return raw as Record<string, unknown>;
}

const memberAt = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

const memberOf = (given: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(given, name) ? given[name] : undefined;
