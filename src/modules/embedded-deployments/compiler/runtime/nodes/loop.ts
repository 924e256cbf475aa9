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
    item.set('value', values === null ? Value.number(index) : values[index].clone());
    item.set('index', Value.number(index));
    if (keys !== null) item.set('key', Value.text(keys[index]));
    if (index == 0) item.set('first', TRUE);
    if (index == this.rounds - 1) item.set('last', TRUE);
    return item;
  }
}

/**
 * Runs what stands inside the loop, output 1, for one item after the other, and then leads to output 0. With `results` it
 * puts there what `collected` holds at the end of each round.
 */
export function loop(run: Run, source: Path, item: Path, collected: Path, results: Path | null): i32 {
  const resumed = run.resumed;
  let frame: LoopFrame;
  if (resumed === null) {
    frame = new LoopFrame(results !== null, collected);
    if (!enter(frame, source.get(run.payload)))
      return run.fail('RangeError', 'a loop has at most 262144 rounds');
  } else {
    frame = changetype<LoopFrame>(resumed);
    if (frame.capped) run.payload = frame.payload;
    if (frame.collects) frame.results.items.push(frame.result);
  }
  if (frame.broken || ++frame.index == frame.rounds) return leave(run, results, frame.results);
  frame.capped = false;
  frame.payload = UNDEFINED;
  frame.result = UNDEFINED;
  // Where no cap is reached, the next round begins with what this one began with.
  const payload = run.payload.clone();
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

function leave(run: Run, path: Path | null, results: Value): i32 {
  return path === null ? 0 : put(run, path, results);
}

/** Counts the rounds that a source gives. Answers whether a loop may have so many. */
function enter(frame: LoopFrame, source: Value): bool {
  let rounds: f64 = 0;
  if (source.isNumber) {
    rounds = isNaN(source.asNumber) ? 0 : abs(ceil(source.asNumber));
  } else if (source.kind >= Kind.Text) {
    const values = source.isList
      ? source.items
      : source.isObject
        ? source.members.values()
        : charactersOf(source.asText);
    if (source.isObject) frame.keys = source.members.keys();
    frame.values = values;
    rounds = values.length;
  }
  if (rounds > MOST_ROUNDS) return false;
  frame.rounds = <i32>rounds;
  return true;
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
