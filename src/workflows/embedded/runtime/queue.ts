import { Trigger } from './triggers';

/** About what it takes that something waits, besides its topic and payload. */
const OVERHEAD = 32;

/** A run to come: its trigger, and the bytes of the message that fired it. */
@final
export class Firing {
  next: Firing | null = null;

  constructor(
    readonly trigger: Trigger,
    /** The topic, where the trigger listens to topics. */
    readonly topic: string,
    readonly payload: StaticArray<u8>,
  ) {}

  get size(): i64 {
    return <i64>(OVERHEAD + this.topic.length + this.payload.length);
  }
}

/** The most bytes that may wait. */
let capacity: i64 = 1_024_000;
let size: i64 = 0;
let first: Firing | null = null;
let last: Firing | null = null;

export function setQueueCapacity(bytes: i32): void {
  capacity = bytes;
}

/** Lets a run wait where there is room. Answers whether there was. */
export function enqueue(firing: Firing): bool {
  if (size + firing.size > capacity) return false;
  append(firing);
  return true;
}

/** Lets a run wait, behind all others. */
export function append(firing: Firing): void {
  size += firing.size;
  const before = last;
  if (before === null) first = firing;
  else before.next = firing;
  last = firing;
}

/** Takes what has waited for the longest. */
export function dequeue(): Firing | null {
  const firing = first;
  if (firing === null) return null;
  first = firing.next;
  if (first === null) last = null;
  size -= firing.size;
  return firing;
}

export function clearQueue(): void {
  first = null;
  last = null;
  size = 0;
}
