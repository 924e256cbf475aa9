export function transpile(filename: string, options?: object): Promise<{ code: string; map?: string }>;
