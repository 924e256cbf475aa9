// Test interface to the runtime: texts are passed in as bytes, and returned by address and length.
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

/** Allocates the input buffer that the test suite fills before the next call. */
export function take(length: i32): usize {
  // No references are on the stack here.
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

/** Decodes UTF-8 bytes. */
export function decode(): void {
  output = decodeUtf8(changetype<usize>(input), input.byteLength);
}

/** Encodes UTF-16 code units; returns whether the announced number of bytes was written. */
export function encode(): bool {
  const text = inputText();
  bytes = new ArrayBuffer(lengthInUtf8(text));
  return encodeUtf8(text, changetype<usize>(bytes)) == bytes.byteLength;
}

/** Parses JSON and writes a clone of it; returns whether it is valid. */
export function rewrite(): bool {
  const value = inputJson();
  if (value !== null) output = writeJson(value.clone());
  return value !== null;
}

/** Converts JSON to the text shown in templates. */
export function print(): void {
  output = printed(inputJson()!);
}

export function writeNumber(value: f64): void {
  output = textOfNumber(value);
}

export function readNumber(): f64 {
  return numberOfText(inputText());
}

/** Compares both items of a list, and the first one with its clone. */
export function areEqual(): bool {
  const pair = inputJson()!;
  const one = pair.items[0].clone();
  return one.equals(pair.items[1]) && pair.items[1].equals(one);
}

/** Sets a value, given `[path, payload, value]`, and outputs the payload; returns whether the value could be set. */
export function setAt(): bool {
  const items = inputJson()!.items;
  const could = Path.of(items[0]).set(items[1], items[2]);
  output = writeJson(items[1]);
  return could;
}

/** Removes a value, given `[path, payload]`, and outputs the payload. */
export function removeAt(): bool {
  const items = inputJson()!.items;
  const could = Path.of(items[0]).remove(items[1]);
  output = writeJson(items[1]);
  return could;
}

/** Outputs a value, given `[path, payload]`, and returns its kind. */
export function getAt(): Kind {
  const items = inputJson()!.items;
  const value = Path.of(items[0]).get(items[1]);
  output = writeJson(value);
  return value.kind;
}

/** Evaluates an expression with a payload. Outputs the result, a text or JSON, and returns its kind. */
export function yieldOf(index: i32): Kind {
  const value = evaluate(index, new Payload(inputJson()!));
  output = value.kind < Kind.List ? value.scalarText() : writeJson(value);
  return value.kind;
}
