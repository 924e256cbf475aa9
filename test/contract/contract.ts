import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where the contract lies beside the repository; it is no part of it, and a lone checkout has none. */
export const CONTRACT_FOLDER = join(repository, '..', 'shared', 'contract');

/** One operation as the contract has it. */
export interface ContractOperation {
  operation: string;
  method: string;
  path: string;
  scopes?: string[];
}

const file = join(CONTRACT_FOLDER, 'operations.json');

/** The contract's operations by name, or nothing where the contract is absent. */
export const contract: ReadonlyMap<string, ContractOperation> | undefined = existsSync(file)
  ? new Map(
      (JSON.parse(readFileSync(file, 'utf8')) as ContractOperation[]).map((entry) => [
        entry.operation,
        entry,
      ]),
    )
  : undefined;

/** `describe` where the contract is present; elsewhere the suite is skipped and its title says why. */
export function describeContract(title: string, tests: () => void): void {
  if (contract) describe(title, tests);
  else describe.skip(`${title} (skipped: ../shared/contract is absent)`, tests);
}
