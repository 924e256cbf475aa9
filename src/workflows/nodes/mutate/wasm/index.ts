import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';
import { Value } from '../../../embedded/runtime/value';
import { put } from '../../../embedded/runtime/put';

export { put } from '../../../embedded/runtime/put';
export { referred, written } from '../../../embedded/runtime/template-value';

export function setJson(run: Run, to: Path, value: Value): i32 {
  return value.isUndefined
    ? run.fail('InvalidJsonError', 'the template does not yield valid JSON')
    : put(run, to, value);
}

export function remove(run: Run, from: Path): i32 {
  from.remove(run.payload);
  return 0;
}

export function copy(run: Run, from: Path, to: Path): i32 {
  return put(run, to, from.get(run.payload).clone());
}

export function move(run: Run, from: Path, to: Path): i32 {
  const value = from.get(run.payload);
  from.remove(run.payload);
  return put(run, to, value);
}
