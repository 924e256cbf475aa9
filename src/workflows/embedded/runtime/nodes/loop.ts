import { Path } from '../path';
import { END, FAILED, Frame, Run } from '../run';
import { Kind, TRUE, UNDEFINED, Value } from '../value';
import { put, putInto } from './put';

/** The most rounds that a loop may have. */
const MOST_ROUNDS: i32 = 262_144;

/** What a loop remembers between rounds. */
@final
class LoopFrame extends Frame {
  /** The round that runs, counted from 0. */
  index: i32 = -1;
  rounds: i32 = 0;
  /** What is gone through: of a text its characters, of an object its members. Null where the loop only counts. */
  values: Array<Value> | null = null;
  keys: Array<string> | null = null;
  /** Whether a cap has ended the round; later ones of the same round do nothing. */
  capped: bool = false;
  broken: bool = false;
  /** What the payload was where the round ended; it goes on into the next one. */
  payload: Value = UNDEFINED;
  /** What stood at the path of the current item before the round. */
  before: Value = UNDEFINED;
  /** What the round adds to the results. */
  result: Value = UNDEFINED;
  readonly results: Value = Value.list();

  constructor(
    /** Whether there are results, and what of the payload they are where a cap does not say. */
    readonly collects: bool,
    readonly collected: Path,
  ) {
    super();
  }

  /** What stands at the loop's path in the round. */
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
 * Runs what stands inside the loop, output 1, for one item after the other, and then leads to output 0. With `results` it
 * puts there what `collected` holds at the end of each round. Where `shares`, a round that reaches no cap changes nothing.
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
      return run.fail('RangeError', 'a loop has at most 262144 rounds');
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
  // Where no cap is reached, the next round begins with what this one began with.
  const payload = shares ? run.payload : run.payload.clone();
  if (shares) frame.before = item.get(payload);
  return putInto(run, payload, item, frame.item()) ? run.repeat(frame, 1, payload) : FAILED;
}

/** Leads to output 0 without a round. */
export function skipLoop(run: Run, results: Path | null): i32 {
  return leave(run, results, Value.list());
}

/** Ends the round of the loop that the step stands in. Other paths of the round go on, but change nothing outside of it. */
export function capLoop(run: Run, breaks: bool, result: Path | null): i32 {
  // There is none where a button inside the loop began the run.
  if (run.frame === null) return END;
  const frame = changetype<LoopFrame>(run.frame);
  if (frame.capped) return END;
  frame.capped = true;
  frame.broken = breaks;
  frame.payload = run.payload;
  if (frame.collects) {
    const path = result === null ? frame.collected : result;
    frame.result = path.get(run.payload).clone();
  }
  return END;
}

/** Takes the current item away again, from a payload that has it. */
function restore(payload: Value, item: Path, before: Value): void {
  if (before.isUndefined) item.remove(payload);
  else item.set(payload, before);
}

function leave(run: Run, path: Path | null, results: Value): i32 {
  return path === null ? 0 : put(run, path, results);
}

/** Notes what a source gives the rounds. Answers whether a loop may have so many. */
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
  // The rounds may change what stands in the payload.
  const copy = source.clone();
  if (copy.isObject) frame.keys = copy.members.keys();
  frame.values = copy.isObject ? copy.members.values() : copy.items;
  return true;
}

/** How many rounds a source gives, or for a text at most. */
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

/** A text's characters, each of one code point. */
function charactersOf(text: string): Array<Value> {
  const characters: Array<Value> = [];
  for (let i = 0; i < text.length;) {
    const width = text.codePointAt(i) > 0xffff ? 2 : 1;
    characters.push(Value.text(text.substr(i, width)));
    i += width;
  }
  return characters;
}
