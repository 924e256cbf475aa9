import { now } from '../../../embedded/runtime/messages';
import { Path } from '../../../embedded/runtime/path';
import { randomBelow, randomBits } from '../../../embedded/runtime/random';
import { Run } from '../../../embedded/runtime/run';
import { Value } from '../../../embedded/runtime/value';
import { numberIn } from '../../../embedded/runtime/number-said';
import { put } from '../../../embedded/runtime/put';

export { referred, written } from '../../../embedded/runtime/template-value';

const UUID_BYTES = 16;
const HEX = memory.data<u8>([48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102]);

export function give(run: Run, to: Path, id: string): i32 {
  return put(run, to, Value.text(id));
}

/** Converts bytes to hexadecimal, optionally with the dashes of a UUID. */
function textOf(bytes: StaticArray<u8>, dashes: bool): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    if (dashes && (i == 4 || i == 6 || i == 8 || i == 10)) text += '-';
    text += String.fromCharCode(load<u8>(HEX + (bytes[i] >> 4)), load<u8>(HEX + (bytes[i] & 15)));
  }
  return text;
}

/** Converts bytes to a UUID and sets its version and variant. */
export function uuidOf(bytes: StaticArray<u8>, version: u8): string {
  bytes[6] = (bytes[6] & 0x0f) | (version << 4);
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return textOf(bytes, true);
}

function fillRandomly(bytes: StaticArray<u8>, from: i32, to: i32): void {
  for (let i = from; i < to; i++) bytes[i] = <u8>(randomBits() >> 24);
}

/** Writes a number in big-endian order. */
function writeBig(bytes: StaticArray<u8>, at: i32, length: i32, value: u64): void {
  for (let i = length - 1; i >= 0; i--) {
    bytes[at + i] = <u8>value;
    value >>= 8;
  }
}

export function randomUuid(): string {
  const bytes = new StaticArray<u8>(UUID_BYTES);
  fillRandomly(bytes, 0, UUID_BYTES);
  return uuidOf(bytes, 4);
}

/** Offset from the epoch of UUID timestamps (1582) to 1970 in units of 100 ns. */
const GREGORIAN: u64 = 122_192_928_000_000_000;

/** Random node ID and clock sequence of time-based UUIDs, drawn once. */
const node = new StaticArray<u8>(8);
let lastTime: u64 = 0;

/** Generates a time-based UUID with a strictly increasing timestamp. */
export function uuidOfTime(): string {
  if (lastTime == 0) {
    fillRandomly(node, 0, 8);
    // Multicast bit: marks the node ID as random, not a MAC address.
    node[2] |= 1;
  }
  const time = <u64>now() * 10_000 + GREGORIAN;
  lastTime = time > lastTime ? time : lastTime + 1;
  const bytes = new StaticArray<u8>(UUID_BYTES);
  writeBig(bytes, 0, 4, lastTime);
  writeBig(bytes, 4, 2, lastTime >> 32);
  writeBig(bytes, 6, 2, lastTime >> 48);
  for (let i = 0; i < 8; i++) bytes[8 + i] = node[i];
  return uuidOf(bytes, 1);
}

/** Random machine part of object IDs, and their counter, which starts at a random number. */
const machine = new StaticArray<u8>(5);
let made: i64 = -1;

/** Generates 24 hexadecimal digits: seconds, machine part, counter. */
export function objectId(): string {
  if (made < 0) {
    fillRandomly(machine, 0, 5);
    made = randomBits() >> 8;
  }
  const bytes = new StaticArray<u8>(12);
  writeBig(bytes, 0, 4, <u64>(now() / 1000));
  for (let i = 0; i < 5; i++) bytes[4 + i] = machine[i];
  writeBig(bytes, 9, 3, made++);
  return textOf(bytes, false);
}

const LETTERS = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';
const USUAL_LENGTH = 21;
const MOST_LENGTH = 256;

/** Generates random letters, digits, `_` and `-`. Fails the run and returns null unless the length is 1 to 256. */
export function nanoid(run: Run, length: Value): string | null {
  const usual = length.isText && length.asText.length == 0;
  const count = usual ? USUAL_LENGTH : numberIn(length);
  if (!(count >= 1 && count <= MOST_LENGTH) || count != Math.floor(count)) {
    run.fail('ValidationError', 'a nanoid must have 1 to 256 characters');
    return null;
  }
  let text = '';
  for (let i = 0; i < <i32>count; i++) text += LETTERS.charAt(<i32>randomBelow(LETTERS.length));
  return text;
}
