import { writeJson } from '../../../embedded/runtime/json';
import { Path } from '../../../embedded/runtime/path';
import { put } from '../../../embedded/runtime/put';
import { Run } from '../../../embedded/runtime/run';
import { Value } from '../../../embedded/runtime/value';

/** Writes the JSON of the value at a path as a text. */
export function encode(run: Run, from: Path, to: Path): i32 {
  return put(run, to, Value.text(writeJson(from.get(run.payload))));
}
