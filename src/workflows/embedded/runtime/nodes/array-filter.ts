import { isShort } from '../memory';
import { Path } from '../path';
import { Run } from '../run';
import { UNDEFINED, Value } from '../value';
import { give } from './array';

/**
 * Goes through a list; for each item the run has a scope in place of its payload: `value` and `index` of the item, `array`
 * and `payload`. Nothing of it is changed in between, so that it may hold what others own.
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

  /** Puts the payload back and writes what was kept. */
  end(to: Path): bool {
    this.run.payload = this.payload;
    return give(this.run, to, this.kept);
  }
}
