import { FLOW_TABLE } from './bundle';
import { constant } from './constants';
import { Value } from './value';

/** Facts about a workflow that runs can read, in table order. */
export const enum FlowFact {
  Id,
  Name,
  Version,
  /** Globals, shared by all runs. */
  Globals,
}

export function flowFact(flow: i32, fact: FlowFact): Value {
  return constant(load<i32>(FLOW_TABLE + (((flow << 2) + fact) << 2)));
}
