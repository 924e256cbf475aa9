import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Folder of the contract, next to the repository. It is not part of the repository and may be missing. */
export const CONTRACT_FOLDER = join(repository, '..', 'shared', 'contract');

/** An operation of the contract. */
export interface ContractOperation {
  operation: string;
  method: string;
  path: string;
  scopes?: string[];
}

const file = join(CONTRACT_FOLDER, 'operations.json');

/** Operations of the contract by name; `undefined` if the contract is missing. */
export const contract: ReadonlyMap<string, ContractOperation> | undefined = existsSync(file)
  ? new Map(
      (JSON.parse(readFileSync(file, 'utf8')) as ContractOperation[]).map((entry) => [
        entry.operation,
        entry,
      ]),
    )
  : undefined;

/** Like `describe` if the contract exists; otherwise skips the suite, with the reason in its title. */
export function describeContract(title: string, tests: () => void): void {
  if (contract) describe(title, tests);
  else describe.skip(`${title} (skipped: ../shared/contract not found)`, tests);
}
