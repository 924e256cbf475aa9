import { now, sendState } from '../messages';
import { Path } from '../path';
import { FAILED, Run } from '../run';
import { TRUE, Value } from '../value';
import { numberIn } from './number-said';
import { put } from './put';

export function currentTime(): Value {
  return Value.number(now());
}

/** State of the device that a node puts together and reports. */
@final
export class Report {
  private data: Value = Value.object();

  constructor(private readonly run: Run) {}

  /** An attribute, unless it has no value. */
  value(key: string, value: Value): void {
    if (!value.isUndefined) this.data.set(key, value);
  }

  text(key: string, value: string): void {
    this.data.set(key, Value.text(value));
  }

  /** All attributes at once, as members of an object. */
  all(data: Value): void {
    this.data = data;
  }

  /** Sends it. With `resultPath` the run goes on whatever comes of it. */
  send(time: Value, resultPath: Path | null): i32 {
    const run = this.run;
    const outcome = this.attempt(time);
    if (resultPath === null) return outcome;
    if (outcome != FAILED) return put(run, resultPath, Value.object().set('success', TRUE));
    run.code = 0;
    const error = Value.object()
      .set('type', Value.text(run.errorName))
      .set('message', Value.text(run.errorMessage));
    return put(run, resultPath, Value.object().set('error', error));
  }

  private attempt(time: Value): i32 {
    const run = this.run;
    if (!this.data.isObject) return run.fail('ValidationError', 'state must be an object of attributes');
    const at = numberIn(time);
    return isFinite(at)
      ? sendState(run, at, this.data)
      : run.fail('ValidationError', 'the time of state must be a number of milliseconds');
  }
}
