import { STEPS, TRIGGER_TABLE, TRIGGERS } from './bundle';
import { constant, text } from './constants';

/** Kinds of triggers, with the same numbers as in `triggers/trigger-types.ts`. */
export const enum TriggerKind {
  Timer,
  VirtualButton,
  DeviceCommand,
  MqttTopic,
  Direct,
  OnBoot,
}

/** Numbers per trigger in the table: kind, flow, type, key, uiId, period. All but the first two are constants. */
const COLUMNS = 6;

/** Trigger of the bundle. */
@final
export class Trigger {
  readonly kind: i32;
  readonly flow: i32;

  constructor(readonly index: i32) {
    this.kind = this.column(0);
    this.flow = this.column(1);
  }

  /** Index of its outputs in the step table. */
  get step(): i32 {
    return STEPS + this.index;
  }

  get type(): string {
    return text(this.column(2));
  }

  get key(): string {
    return text(this.column(3));
  }

  /** ID in the workflow editor. */
  get uiId(): string {
    return text(this.column(4));
  }

  /** Timer period in milliseconds. */
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

/** Checks whether the bundle has a trigger of this kind. */
export function hasTrigger(kind: TriggerKind): bool {
  for (let i = 0; i < TRIGGERS; i++) if (triggers[i].kind == kind) return true;
  return false;
}
