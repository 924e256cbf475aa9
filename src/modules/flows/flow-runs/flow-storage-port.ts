import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { sha256 } from '../../../lib/crypto/hashes.js';
import { ApiError } from '../../../lib/errors/errors.js';
import { inspect, inspectText } from '../../../platform/server/read-body.js';
import type { Actor, StoragePort } from '../../../workflows/engine/ports.js';
import { invalidSetting, RunFault } from '../../../workflows/engine/run-error.js';
import { FlowNodeStatesRepository } from './flow-node-states.repository.js';
import { FlowStorageRepository } from './flow-storage.repository.js';
import { FlowStorageService } from './flow-storage.service.js';

const MAX_KEY_LENGTH = 255;
const MAX_VALUE_BYTES = 16 * 1024;
/** Maximum number of attempts to change a state that other runs change at the same time. Of all, one succeeds each time. */
const MAX_ATTEMPTS = 200;

/** Storage of workflows and states of their nodes, for runs. Errors are `RunFault`s. */
@Injectable()
export class FlowStoragePort implements StoragePort {
  constructor(
    private readonly storage: FlowStorageRepository,
    private readonly service: FlowStorageService,
    private readonly states: FlowNodeStatesRepository,
  ) {}

  get({ applicationId, flowId }: Actor, key: string): Promise<unknown> {
    assertKey(key);
    return this.storage.get(applicationId, flowId, key);
  }

  async all({ applicationId, flowId }: Actor): Promise<Readonly<Record<string, unknown>>> {
    return (await faulting(this.storage.entries(applicationId, flowId))) as Record<string, unknown>;
  }

  async set({ applicationId, flowId }: Actor, key: string, value: unknown): Promise<unknown> {
    assertKey(key);
    if (value === undefined) return this.storage.take(applicationId, flowId, key);
    assertValue('The stored value', value);
    const replaced = await this.storage.replace({ applicationId, flowId, key, value });
    if (replaced) return replaced.value;
    return faulting(this.service.store(applicationId, flowId, key, () => value));
  }

  async add({ applicationId, flowId }: Actor, key: string, amount: number): Promise<number> {
    assertKey(key);
    if (!Number.isFinite(amount)) throw invalidSetting('The amount to add', 'is not a number');
    const stored = await this.storage.add({ applicationId, flowId, key }, amount);
    if (stored !== undefined) return stored;
    let sum = amount;
    await faulting(
      this.service.store(applicationId, flowId, key, (previous) => {
        if (previous !== undefined && typeof previous !== 'number')
          throw invalidSetting(`The stored value of ${key}`, 'is not a number');
        return (sum = (previous ?? 0) + amount);
      }),
    );
    return sum;
  }

  async update<R>(
    { applicationId, flowId }: Actor,
    nodeId: string,
    identifier: string,
    next: (current: unknown) => { readonly state: unknown; readonly result: R },
  ): Promise<R> {
    const key = { applicationId, flowId, nodeId, identifier: sha256(identifier) };
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const current = await this.states.find(key);
      const { state = null, result } = next(current?.state);
      assertValue('The state of the node', state);
      const isKept = current && !current.isOld && isDeepStrictEqual(current.state, state);
      if (isKept || (await this.states.write(key, state, current?.revision))) return result;
    }
    throw new RunFault('ConflictError', 'Too many runs change the state of the node at the same time');
  }
}

function assertKey(key: string): void {
  if (key.length < 1 || key.length > MAX_KEY_LENGTH)
    throw invalidSetting('The key of a stored value', `must have 1 to ${MAX_KEY_LENGTH} characters`);
  checked(() => inspectText(key, 'The key of a stored value'));
}

/** Throws a `RunFault` if the value cannot be stored as JSON, or is too large. */
function assertValue(name: string, value: unknown): void {
  checked(() => inspect(value, name));
  if (Buffer.byteLength(JSON.stringify(value) ?? '') > MAX_VALUE_BYTES)
    throw invalidSetting(name, `is larger than ${MAX_VALUE_BYTES} bytes`);
}

function checked(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw faultOf(error);
  }
}

/** Converts errors of the API to errors of the run. */
async function faulting<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw faultOf(error);
  }
}

const faultOf = (error: unknown): unknown =>
  error instanceof ApiError
    ? new RunFault(error.type === 'Validation' ? 'ValidationError' : error.type, error.message)
    : error;
