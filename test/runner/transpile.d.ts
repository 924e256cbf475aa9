export function transpile(filename: string): Promise<string>;
