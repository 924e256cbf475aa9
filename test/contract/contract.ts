import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Path of the contract next to the repository. A lone checkout has no contract. */
export const CONTRACT_FOLDER = join(repository, '..', 'shared', 'contract');

/** One operation as the contract has it. */
export interface ContractOperation {
  operation: string;
  method: string;
  path: string;
  scopes?: string[];
}

const file = join(CONTRACT_FOLDER, 'operations.json');

/** Operations of the contract by name, or nothing without a contract. */
export const contract: ReadonlyMap<string, ContractOperation> | undefined = existsSync(file)
  ? new Map(
      (JSON.parse(readFileSync(file, 'utf8')) as ContractOperation[]).map((entry) => [
        entry.operation,
        entry,
      ]),
    )
  : undefined;

/** `describe` if the contract is present. Otherwise the suite is skipped, and its title gives the reason. */
export function describeContract(title: string, tests: () => void): void {
  if (contract) describe(title, tests);
  else describe.skip(`${title} (skipped: ../shared/contract is absent)`, tests);
}
