import { FLOW_TABLE } from './bundle';
import { constant } from './constants';
import { Value } from './value';

/** A workflow's id. */
export function flowId(flow: i32): string {
  return column(flow, 0).asText;
}

export function flowName(flow: i32): string {
  return column(flow, 1).asText;
}

export function flowVersion(flow: i32): string {
  return column(flow, 2).asText;
}

/** The globals that its runs see, shared by all of them. */
export function flowGlobals(flow: i32): Value {
  return column(flow, 3);
}

function column(flow: i32, index: i32): Value {
  return constant(load<i32>(FLOW_TABLE + (((flow << 2) + index) << 2)));
}
