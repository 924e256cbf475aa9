// Lets the suite of values call the runtime: texts go in as bytes that it writes, and come out by address and length.
import { parseJsonBytes, writeJson } from '../json';
import { numberOfText, textOfNumber } from '../number';
import { Path } from '../path';
import { printed } from '../print';
import { evaluate } from '../evaluate';
import { decodeUtf8, encodeUtf8, lengthInUtf8 } from '../utf8';
import { Kind, Value } from '../value';
import { Payload } from './payload';

let input = new ArrayBuffer(0);
let output: string = '';
let bytes = new ArrayBuffer(0);

/** Where the suite writes so many bytes, which the next call reads. */
export function take(length: i32): usize {
  // Nothing that is still needed is on the stack here.
  __collect();
  input = new ArrayBuffer(length);
  return changetype<usize>(input);
}

export function textAt(): usize {
  return changetype<usize>(output);
}

export function textLength(): i32 {
  return output.length;
}

export function bytesAt(): usize {
  return changetype<usize>(bytes);
}

export function bytesLength(): i32 {
  return bytes.byteLength;
}

function inputText(): string {
  return String.UTF16.decodeUnsafe(changetype<usize>(input), input.byteLength);
}

function inputJson(): Value | null {
  return parseJsonBytes(changetype<usize>(input), input.byteLength);
}

/** Decodes bytes. */
export function decode(): void {
  output = decodeUtf8(changetype<usize>(input), input.byteLength);
}

/** Encodes units of UTF-16; answers whether as many bytes were written as were said. */
export function encode(): bool {
  const text = inputText();
  bytes = new ArrayBuffer(lengthInUtf8(text));
  return encodeUtf8(text, changetype<usize>(bytes)) == bytes.byteLength;
}

/** Reads JSON and writes it again from a clone; answers whether it is JSON. */
export function rewrite(): bool {
  const value = inputJson();
  if (value !== null) output = writeJson(value.clone());
  return value !== null;
}

/** What templates show of JSON. */
export function print(): void {
  output = printed(inputJson()!);
}

export function writeNumber(value: f64): void {
  output = textOfNumber(value);
}

export function readNumber(): f64 {
  return numberOfText(inputText());
}

/** Whether both items of a list are equal, and the first one's clone. */
export function areEqual(): bool {
  const pair = inputJson()!;
  const one = pair.items[0].clone();
  return one.equals(pair.items[1]) && pair.items[1].equals(one);
}

/** Of a list `[path, payload, value]`: sets the value, and tells of the payload; answers whether it could. */
export function setAt(): bool {
  const items = inputJson()!.items;
  const could = Path.of(items[0]).set(items[1], items[2]);
  output = writeJson(items[1]);
  return could;
}

/** Of a list `[path, payload]`: removes, and tells of the payload. */
export function removeAt(): bool {
  const items = inputJson()!.items;
  const could = Path.of(items[0]).remove(items[1]);
  output = writeJson(items[1]);
  return could;
}

/** Of a list `[path, payload]`: the kind of what stands there, and what it is. */
export function getAt(): Kind {
  const items = inputJson()!.items;
  const value = Path.of(items[0]).get(items[1]);
  output = writeJson(value);
  return value.kind;
}

/** The kind of what an expression yields with a payload, and what it is: its text, or its JSON. */
export function yieldOf(index: i32): Kind {
  const value = evaluate(index, new Payload(inputJson()!));
  output = value.kind < Kind.List ? value.scalarText() : writeJson(value);
  return value.kind;
}
