import type { Compiled } from '../../language/compile.js';
import * as setting from '../settings.js';

/** Whole document to write, or `undefined` if the node writes individual fields. */
export interface WriteMode {
  readonly document: Compiled<unknown> | undefined;
}

/**
 * Settings of nodes that write individual fields, a document of a template, or a value of the payload. `json` and `path`
 * are the names of their members.
 */
export const writeMode =
  (json: string, path: string): setting.Setting<WriteMode> =>
  (raw, at) => {
    const { dataMethod } = setting.group({
      dataMethod: setting.word('individualFields', 'jsonTemplate', 'payloadPath'),
    })(raw, at);
    if (dataMethod === 'individualFields') return { document: undefined };
    const name = dataMethod === 'jsonTemplate' ? json : path;
    const document: setting.Setting<Compiled<unknown>> =
      dataMethod === 'jsonTemplate' ? setting.json : setting.path;
    return { document: setting.group({ [name]: setting.required(document) })(raw, at)[name]! };
  };

/** Returns the members that are not blank. Blank fields of a node change nothing. */
export const filled = (members: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== '' && value !== undefined));
