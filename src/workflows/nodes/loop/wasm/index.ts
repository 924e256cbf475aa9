import { Path } from '../../../embedded/runtime/path';
import { FAILED, Frame, Run } from '../../../embedded/runtime/run';
import { Kind, TRUE, UNDEFINED, Value } from '../../../embedded/runtime/value';
import { put, putInto } from '../../../embedded/runtime/put';

/** Maximum number of iterations of a loop. */
const MOST_ROUNDS: i32 = 262_144;

/** State of a loop between iterations. */
@final
export class LoopFrame extends Frame {
  /** Zero-based index of the current iteration. */
  index: i32 = -1;
  rounds: i32 = 0;
  /** Items to iterate over: characters of a text or properties of an object. Null if the loop only counts. */
  values: Array<Value> | null = null;
  keys: Array<string> | null = null;
  /** Whether a cap has ended the iteration; later caps of the same iteration have no effect. */
  capped: bool = false;
  broken: bool = false;
  /** Payload at the end of the iteration, passed to the next one. */
  payload: Value = UNDEFINED;
  /** Value at the item path before the iteration. */
  before: Value = UNDEFINED;
  /** Result of the iteration. */
  result: Value = UNDEFINED;
  readonly results: Value = Value.list();

  constructor(
    /** Whether results are collected, and the path of their default in the payload. */
    readonly collects: bool,
    readonly collected: Path,
  ) {
    super();
  }

  /** Returns the value written to the loop's item path. */
  item(): Value {
    const index = this.index;
    const values = this.values;
    const keys = this.keys;
    const item = Value.object();
    item.set('value', values === null ? Value.number(index) : values[index]);
    item.set('index', Value.number(index));
    if (keys !== null) item.set('key', Value.text(keys[index]));
    if (index == 0) item.set('first', TRUE);
    if (index == this.rounds - 1) item.set('last', TRUE);
    return item;
  }
}

/**
 * Runs the contents of the loop, output 1, for each item, then follows output 0. With `results`, writes the value of
 * `collected` at the end of each iteration there. `shares` means that an iteration without a cap changes nothing.
 */
export function loop(
  run: Run,
  source: Path,
  item: Path,
  collected: Path,
  results: Path | null,
  shares: bool,
): i32 {
  const resumed = run.resumed;
  let frame: LoopFrame;
  if (resumed === null) {
    frame = new LoopFrame(results !== null, collected);
    if (!enter(frame, source.get(run.payload)))
      return run.fail('RangeError', 'a loop can have at most 262144 iterations');
  } else {
    frame = changetype<LoopFrame>(resumed);
    if (frame.capped) run.payload = frame.payload;
    else if (shares) restore(run.payload, item, frame.before);
    if (frame.collects) frame.results.items.push(frame.result);
  }
  if (frame.broken || ++frame.index == frame.rounds) return leave(run, results, frame.results);
  frame.capped = false;
  frame.payload = UNDEFINED;
  frame.result = UNDEFINED;
  // If no cap is reached, the next iteration starts with the same payload as this one.
  const payload = shares ? run.payload : run.payload.clone();
  if (shares) frame.before = item.get(payload);
  return putInto(run, payload, item, frame.item()) ? run.repeat(frame, 1, payload) : FAILED;
}

/** Follows output 0 without any iterations. */
export function skipLoop(run: Run, results: Path | null): i32 {
  return leave(run, results, Value.list());
}

/** Removes the current item from a payload and restores the previous value. */
function restore(payload: Value, item: Path, before: Value): void {
  if (before.isUndefined) item.remove(payload);
  else item.set(payload, before);
}

function leave(run: Run, path: Path | null, results: Value): i32 {
  return path === null ? 0 : put(run, path, results);
}

/** Reads the items of a source. Returns `false` if there are too many. */
function enter(frame: LoopFrame, source: Value): bool {
  const rounds = roundsOf(source);
  if (rounds > MOST_ROUNDS) return false;
  frame.rounds = <i32>rounds;
  if (source.isText) {
    const characters = charactersOf(source.asText);
    frame.values = characters;
    frame.rounds = characters.length;
  }
  if (!source.isList && !source.isObject) return true;
  // Iterations can change values in the payload.
  const copy = source.clone();
  if (copy.isObject) frame.keys = copy.members.keys();
  frame.values = copy.isObject ? copy.members.values() : copy.items;
  return true;
}

/** Returns the number of iterations for a source; for a text, an upper bound. */
function roundsOf(source: Value): f64 {
  switch (source.kind) {
    case Kind.Number:
      return isNaN(source.asNumber) ? 0 : abs(ceil(source.asNumber));
    case Kind.Text:
      return source.asText.length;
    case Kind.List:
      return source.items.length;
    case Kind.Object:
      return source.members.size;
    default:
      return 0;
  }
}

/** Splits a text into code points. */
function charactersOf(text: string): Array<Value> {
  const characters: Array<Value> = [];
  for (let i = 0; i < text.length;) {
    const width = text.codePointAt(i) > 0xffff ? 2 : 1;
    characters.push(Value.text(text.substr(i, width)));
    i += width;
  }
  return characters;
}
