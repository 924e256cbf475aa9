/** AssemblyScript compiler API, as far as it is used here. */
interface Asc {
  /** Sources of the standard library, keyed by path without extension. */
  readonly libraryFiles: Record<string, string>;
  createMemoryStream(): { toString(): string };
  main(args: readonly string[], options: AscOptions): Promise<{ error: Error | null }>;
}

interface AscOptions {
  readonly stderr: object;
  readFile(name: string): string | Promise<string | null>;
  writeFile(name: string, content: Uint8Array | string): void;
  listFiles(): readonly string[];
  readonly transforms: readonly AscTransform[];
}

/** Transformation of a compiled module. */
export interface AscTransform {
  afterCompile(module: { addGlobalExport(internal: string, name: string): void }): void;
}

// The types of the package change those of arrays in the whole program: `at` would no longer return `undefined`. A name
// that is not a literal is imported without types.
const NAME: string = 'assemblyscript/asc';

export const { default: asc } = (await import(NAME)) as { default: Asc };
