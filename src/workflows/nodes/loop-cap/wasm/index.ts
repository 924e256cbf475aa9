import { Path } from '../../../embedded/runtime/path';
import { END, Run } from '../../../embedded/runtime/run';
import { LoopFrame } from '../../loop/wasm';

/** Ends the current iteration of the enclosing loop. Its other paths continue, but change nothing outside of it. */
export function capLoop(run: Run, breaks: bool, result: Path | null): i32 {
  // There is no loop if a button inside it started the run.
  if (run.frame === null) return END;
  const frame = changetype<LoopFrame>(run.frame);
  if (frame.capped) return END;
  frame.capped = true;
  frame.broken = breaks;
  frame.payload = run.payload;
  if (frame.collects) {
    const path = result === null ? frame.collected : result;
    frame.result = path.get(run.payload).clone();
  }
  return END;
}
