import { debug } from '../../../embedded/runtime/messages';
import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';

/** Sends a debug message with the payload or the value at a path. */
export function tell(run: Run, message: string, property: Path | null): i32 {
  return debug(run, message, property === null ? run.payload : property.get(run.payload));
}
