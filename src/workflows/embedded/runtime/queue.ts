import { Trigger } from './triggers';

/** Approximate size of a queue entry in addition to its topic and payload. */
const OVERHEAD = 32;

/** Pending run: its trigger and the bytes of the message. */
@final
export class Firing {
  next: Firing | null = null;

  constructor(
    readonly trigger: Trigger,
    /** Topic of the message, for topic triggers. */
    readonly topic: string,
    readonly payload: StaticArray<u8>,
  ) {}

  get size(): i64 {
    return <i64>(OVERHEAD + this.topic.length + this.payload.length);
  }
}

/** Maximum size of the queue in bytes. */
let capacity: i64 = 1_024_000;
let size: i64 = 0;
let first: Firing | null = null;
let last: Firing | null = null;

export function setQueueCapacity(bytes: i32): void {
  capacity = bytes;
}

/** Adds a run to the queue. Returns `false` if it is full. */
export function enqueue(firing: Firing): bool {
  if (size + firing.size > capacity) return false;
  append(firing);
  return true;
}

/** Adds a run to the end of the queue, even if it is full. */
export function append(firing: Firing): void {
  size += firing.size;
  const before = last;
  if (before === null) first = firing;
  else before.next = firing;
  last = firing;
}

/** Removes and returns the oldest entry. */
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
