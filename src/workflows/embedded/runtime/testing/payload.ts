import { Value } from '../value';

/** What the code of expressions knows of a run. */
@final
export class Payload {
  constructor(readonly payload: Value) {}
}
