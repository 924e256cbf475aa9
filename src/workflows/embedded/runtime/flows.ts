import { FLOW_TABLE } from './bundle';
import { constant } from './constants';
import { Value } from './value';

/** What a workflow's runs know of it, in the order of the table. */
export const enum FlowFact {
  Id,
  Name,
  Version,
  /** The globals, shared by all runs. */
  Globals,
}

export function flowFact(flow: i32, fact: FlowFact): Value {
  return constant(load<i32>(FLOW_TABLE + (((flow << 2) + fact) << 2)));
}
