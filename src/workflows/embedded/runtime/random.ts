import { now, ownDeviceId } from './messages';

/** State of xoshiro128**; all zero until the first number is drawn. */
let a: u32 = 0;
let b: u32 = 0;
let c: u32 = 0;
let d: u32 = 0;

/** Seeds by device and time, mixed by SplitMix64 so that similar seeds diverge. */
function seed(): void {
  let state = reinterpret<u64>(now());
  const id = ownDeviceId();
  for (let i = 0; i < id.length; i++) state = (state ^ id.charCodeAt(i)) * 0x100000001b3;
  const first = spread(state);
  const second = spread(state + 0x9e3779b97f4a7c15);
  a = <u32>first;
  b = <u32>(first >> 32);
  c = <u32>second;
  d = (<u32>(second >> 32)) | 1;
}

function spread(state: u64): u64 {
  let z = state + 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/** Returns 32 random bits. Not for secrets: they can be predicted from the device and the time. */
export function randomBits(): u32 {
  if (d == 0 && c == 0 && b == 0 && a == 0) seed();
  const result = rotl<u32>(b * 5, 7) * 9;
  const t = b << 9;
  c ^= a;
  d ^= b;
  b ^= c;
  a ^= d;
  c ^= t;
  d = rotl<u32>(d, 11);
  return result;
}

/** Returns a random integer from 0 to `count`, exclusive; `count` is at most 2^53. */
export function randomBelow(count: f64): f64 {
  const high = <f64>(randomBits() >> 5);
  const low = <f64>(randomBits() >> 6);
  return Math.floor(((high * 67_108_864 + low) / 9_007_199_254_740_992) * count);
}
