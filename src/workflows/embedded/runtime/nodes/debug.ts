import { debug } from '../messages';
import { Path } from '../path';
import { Run } from '../run';

/** Tells of the payload, or of what stands at a path in it. */
export function tell(run: Run, message: string, property: Path | null): i32 {
  return debug(run, message, property === null ? run.payload : property.get(run.payload));
}
