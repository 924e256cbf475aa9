import { RunFault } from '../../workflows/engine/run-error.js';

/**
 * Loads a package that need not be installed. Throws a `RunFault` that names it if it is not.
 *
 * @param load imports the package; a literal `import()`, so that tools find it
 */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { message } = error as Error;
    throw new RunFault(
      'PackageNotInstalled',
      `The package ${name} is not installed on the device: ${message}`,
    );
  }
}
