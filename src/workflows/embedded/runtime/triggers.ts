import { STEPS, TRIGGER_TABLE, TRIGGERS } from './bundle';
import { constant, text } from './constants';

/** What starts runs; the numbers are those of the compiler. */
export const enum TriggerKind {
  Timer,
  VirtualButton,
  DeviceCommand,
  MqttTopic,
  Direct,
  OnBoot,
}

/** How many numbers of the table a trigger has: kind, flow, type, key, uiId, period. All but the first two are constants. */
const COLUMNS = 6;

/** A trigger of the bundle. */
@final
export class Trigger {
  readonly kind: i32;
  readonly flow: i32;

  constructor(readonly index: i32) {
    this.kind = this.column(0);
    this.flow = this.column(1);
  }

  /** Where its outputs stand in the table of steps. */
  get step(): i32 {
    return STEPS + this.index;
  }

  get type(): string {
    return text(this.column(2));
  }

  get key(): string {
    return text(this.column(3));
  }

  /** The id that editors know it by. */
  get uiId(): string {
    return text(this.column(4));
  }

  /** Milliseconds between firings of a timer. */
  get period(): i64 {
    return <i64>constant(this.column(5)).asNumber;
  }

  private column(index: i32): i32 {
    return load<i32>(TRIGGER_TABLE + ((this.index * COLUMNS + index) << 2));
  }
}

function all(): StaticArray<Trigger> {
  const all = new Array<Trigger>();
  for (let i = 0; i < TRIGGERS; i++) all.push(new Trigger(i));
  return StaticArray.fromArray(all);
}

export const triggers: StaticArray<Trigger> = all();

/** Whether the bundle has a trigger of this kind. */
export function hasTrigger(kind: TriggerKind): bool {
  for (let i = 0; i < TRIGGERS; i++) if (triggers[i].kind == kind) return true;
  return false;
}
