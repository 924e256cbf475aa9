import { isShort } from '../../../embedded/runtime/memory';
import { Path } from '../../../embedded/runtime/path';
import { Run } from '../../../embedded/runtime/run';
import { UNDEFINED, Value } from '../../../embedded/runtime/value';
import { give } from './index';

/**
 * Iterates over a list. For each item, the payload of the run is replaced with a scope: `value` and `index` of the
 * item, `array` and `payload`. The scope is never changed, so it can share values.
 */
@final
export class Filter {
  private readonly payload: Value;
  private readonly scope: Value;
  private readonly kept: Value = Value.list();
  private i: i32 = -1;

  constructor(
    private readonly run: Run,
    private readonly list: Value,
  ) {
    this.payload = run.payload;
    this.scope = Value.object().set('array', list).set('payload', run.payload);
    run.payload = this.scope;
  }

  next(): bool {
    if (++this.i == this.list.items.length || isShort()) return false;
    this.scope.set('value', this.list.items[this.i]).set('index', Value.number(this.i));
    return true;
  }

  keep(keeps: bool): void {
    if (keeps) this.kept.items.push(this.list.items[this.i]);
  }

  /** Restores the payload and writes the kept items. */
  end(to: Path): bool {
    this.run.payload = this.payload;
    return give(this.run, to, this.kept);
  }
}
