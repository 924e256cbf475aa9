import { Path } from '../path';
import { Run } from '../run';
import { Value } from '../value';
import { put } from './put';

export { put } from './put';
export { referred, written } from './template';

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
