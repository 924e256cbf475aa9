import { parseJson } from '../../../embedded/runtime/json';
import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';
import { Value } from '../../../embedded/runtime/value';
import { put } from '../../../embedded/runtime/put';

/** Decodes the JSON text at a path. Invalid JSON fails the run, or is reported at `errorPath` if set. */
export function decode(run: Run, from: Path, to: Path, errorPath: Path | null): i32 {
  const source = from.get(run.payload);
  const value = source.isText ? parseJson(source.asText) : null;
  if (value !== null) return put(run, to, value);
  const name = 'InvalidJsonError';
  const message = source.isText ? 'the text is not valid JSON' : 'there is no text to decode';
  if (errorPath === null) return run.fail(name, message);
  const error = Value.object().set('name', Value.text(name)).set('message', Value.text(message));
  return put(run, errorPath, error);
}
