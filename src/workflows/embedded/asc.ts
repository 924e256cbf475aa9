/** The compiler of AssemblyScript, as far as it is used here. */
interface Asc {
  /** The sources of its library, by their paths without an extension. */
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

/** What is done to a module when it is compiled. */
export interface AscTransform {
  afterCompile(module: { addGlobalExport(internal: string, name: string): void }): void;
}

// The package's own types change those of lists in the whole program, where `at` would seem to find something always: a name
// that is no literal is imported without them.
const NAME: string = 'assemblyscript/asc';

export const { default: asc } = (await import(NAME)) as { default: Asc };
