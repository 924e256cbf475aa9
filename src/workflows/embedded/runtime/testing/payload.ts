import { Value } from '../value';

/** Part of a run that expressions use. */
@final
export class Payload {
  constructor(readonly payload: Value) {}
}
