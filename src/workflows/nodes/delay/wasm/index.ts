import { eea_sleep } from '../../../embedded/runtime/env';
import { Run } from '../../../embedded/runtime/run';
import { numberSaid } from '../../../embedded/runtime/number-said';

const LONGEST_SECONDS: f64 = 3_600;

/** Blocks for this number of seconds. */
export function delay(run: Run, text: string): i32 {
  const seconds = numberSaid(text);
  if (!(seconds >= 0 && seconds <= LONGEST_SECONDS))
    return run.fail('ValidationError', 'a delay must be from 0 to 3600 seconds');
  const code = eea_sleep(<i32>nearest(seconds * 1000));
  return code == 0 ? 0 : run.refused('eea_sleep', code);
}
