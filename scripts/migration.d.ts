export function nextTimestamp(files: string[], now?: number): number;
export function register(index: string, className: string, file: string): string;
