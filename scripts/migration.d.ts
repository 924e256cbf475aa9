import type { CountedRows } from '../src/platform/counts/count-triggers.js';

export function nextTimestamp(files: string[], now?: number): number;
export function register(index: string, className: string, file: string): string;
export function withCounters(source: string, counters: readonly CountedRows[]): string;
