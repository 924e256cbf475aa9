import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Database } from '../../platform/database/database.js';
import { prepared } from '../../platform/database/statements.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { DebugMessages } from '../../workflows/debug/debug-messages.js';
import type { DebugMessage } from '../../workflows/engine/debug-message.js';
import type { DeviceGrant } from '../access/device-grant.js';
import { readJson } from '../messages/state-message.js';

const MAX_MESSAGES = 1_000;
const MAX_NAME = 255;
const MAX_TEXT = 10_000;
const MAX_NODES = 1_000;
const MAX_KNOWN_FLOWS = 10_000;
const LEVELS = new Set(['verbose', 'info', 'warn', 'error']);
const APPLICATION = 'SELECT f.application_id FROM flows f WHERE f.id = $1';

/** Passes debug messages of agents to those who watch the workflow, the application or the device. */
@Injectable()
@RunsIn('broker')
export class AgentDebug {
  /** Applications of workflows, which never change. */
  private readonly applications = new LRUCache<string, string>({ max: MAX_KNOWN_FLOWS });

  constructor(
    private readonly messages: DebugMessages,
    private readonly database: Database,
  ) {}

  /** Processes a list of messages. Everything that is not a debug message of the application is left out. */
  async receive({ applicationId, deviceId }: DeviceGrant, payload: Buffer): Promise<void> {
    if (!this.messages.mayBeWatched) return;
    for (const given of listOf(readJson(payload))) {
      const message = messageOf(given);
      if (!message) continue;
      const { flowId } = message;
      const show = this.messages.sinkOf({ applicationId, flowId, deviceId });
      if (show && (await this.applicationOf(flowId)) === applicationId) show(message);
    }
  }

  private async applicationOf(flowId: string): Promise<string | undefined> {
    const known = this.applications.get(flowId);
    if (known) return known;
    const [found] = await this.database.run(prepared(APPLICATION, [flowId]));
    if (found) this.applications.set(flowId, found[0]!);
    return found?.[0] ?? undefined;
  }
}

const listOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).slice(0, MAX_MESSAGES);

/** Returns what an agent sent as a message with known properties only; `undefined` without a workflow. */
function messageOf(given: unknown): DebugMessage | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const {
    flowId,
    flowVersion,
    level,
    message,
    payload,
    sourceNode,
    nodeId,
    prevNodes,
    triggerUiIds,
    time,
    error,
  } = given as Record<string, unknown>;
  if (typeof flowId !== 'string' || flowId.length > MAX_NAME) return undefined;
  const failure = failureOf(error);
  return {
    flowId,
    flowVersion: textOf(flowVersion, MAX_NAME) ?? 'develop',
    level: LEVELS.has(level as string) ? (level as DebugMessage['level']) : failure ? 'error' : 'info',
    message: textOf(message, MAX_TEXT) ?? failure?.message ?? '',
    payload,
    sourceNode: textOf(sourceNode, MAX_NAME) ?? textOf(nodeId, MAX_NAME) ?? '',
    prevNodes: textsOf(prevNodes),
    triggerUiIds: textsOf(triggerUiIds),
    time: timeOf(time),
    ...(failure && { error: failure }),
  };
}

function failureOf(error: unknown): DebugMessage['error'] {
  if (typeof error === 'string') return { name: 'Error', message: error.slice(0, MAX_TEXT) };
  if (typeof error !== 'object' || error === null) return undefined;
  const { name, type, message } = error as Record<string, unknown>;
  return {
    name: textOf(name, MAX_NAME) ?? textOf(type, MAX_NAME) ?? 'Error',
    message: textOf(message, MAX_TEXT) ?? '',
  };
}

const textOf = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' ? value.slice(0, length) : undefined;
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(-MAX_NODES).flatMap((text) => textOf(text, MAX_NAME) ?? []) : [];

/** Devices without a clock send 0, or nothing. */
function timeOf(value: unknown): Date {
  const time = new Date(typeof value === 'number' || typeof value === 'string' ? value : Number.NaN);
  return Number.isNaN(time.getTime()) || time.getTime() === 0 ? new Date() : time;
}
