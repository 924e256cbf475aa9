import { now, sendState } from '../../../embedded/runtime/messages';
import { Path } from '../../../embedded/runtime/path';
import { FAILED, Run } from '../../../embedded/runtime/run';
import { TRUE, Value } from '../../../embedded/runtime/value';
import { numberIn } from '../../../embedded/runtime/number-said';
import { put } from '../../../embedded/runtime/put';

export function currentTime(): Value {
  return Value.number(now());
}

/** Device report that a node builds and sends. */
@final
export class Report {
  private data: Value = Value.object();

  constructor(private readonly run: Run) {}

  /** Adds an attribute unless its value is undefined. */
  value(key: string, value: Value): void {
    if (!value.isUndefined) this.data.set(key, value);
  }

  text(key: string, value: string): void {
    this.data.set(key, Value.text(value));
  }

  /** Sets all attributes as properties of an object. */
  all(data: Value): void {
    this.data = data;
  }

  /** Sends the report. With `resultPath`, the run continues even if this fails. */
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
    if (!this.data.isObject) return run.fail('ValidationError', 'the state must be an object of attributes');
    const at = numberIn(time);
    return isFinite(at)
      ? sendState(run, at, this.data)
      : run.fail('ValidationError', 'the time of the state must be a number of milliseconds');
  }
}
