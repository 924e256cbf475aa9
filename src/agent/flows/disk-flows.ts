import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../lib/json/json.js';
import { isId } from '../../workflows/graph/graph.js';
import { FlowRefused, readFlow, type AgentFlow } from './agent-flow.js';

const MAX_FILES = 100;
const MAX_BYTES = 10 * 1024 * 1024;
const EXTENSION = /\.(flow|json)$/i;

/** File that was read. */
export interface DiskFlow {
  readonly fileName: string;
  /** Its workflow, and the custom nodes that it contains. */
  readonly flows: readonly AgentFlow[];
  /** Why it cannot run. */
  readonly error?: string;
}

/**
 * Reads the workflows of a folder: files as the platform exports them. They run without a connection. A folder that does
 * not exist has none.
 */
export function readDiskFlows(folder: string, topicPrefix: string): readonly DiskFlow[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => EXTENSION.test(name));
  } catch {
    return [];
  }
  return names
    .sort()
    .slice(0, MAX_FILES)
    .map((fileName): DiskFlow => {
      try {
        return { fileName, flows: flowsIn(join(folder, fileName), fileName, topicPrefix) };
      } catch (error) {
        return { fileName, flows: [], error: (error as Error).message };
      }
    });
}

function flowsIn(path: string, fileName: string, topicPrefix: string): AgentFlow[] {
  if (statSync(path).size > MAX_BYTES) throw new FlowRefused(`The file is larger than ${MAX_BYTES} bytes`);
  const content = readFileSync(path, 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new FlowRefused('The file is not JSON');
  }
  if (!isObject(value)) throw new FlowRefused('The file contains no workflow');
  const nested: readonly unknown[] = Array.isArray(value.customNodes) ? value.customNodes : [];
  const toFlow = (one: unknown): AgentFlow => readFlow(flowOf(one, fileName), topicPrefix);
  return [toFlow(value), ...nested.map(toFlow)];
}

/** Returns an exported workflow as a released one. Its ID is that of the export, or made of the name of the file. */
function flowOf(value: unknown, fileName: string): unknown {
  if (!isObject(value)) return value;
  const {
    id,
    flowId = id,
    name,
    flowName = name,
    version,
    flowVersion = version,
    flowClass = 'edge',
  } = value;
  const { triggers, nodes, globals, customNodeConfig, minimumAgentVersion, enabled } = value;
  return {
    flowId: isId(flowId) ? flowId.toLowerCase() : digest(fileName),
    flowName: flowName ?? fileName,
    flowVersion: flowVersion ?? 'develop',
    etag: digest(JSON.stringify(value)),
    flowClass,
    fileName,
    ...given({ triggers, nodes, globals, customNodeConfig, minimumAgentVersion, enabled }),
  };
}

/** Returns the members that an export has. */
const given = (members: object): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** Returns 24 hexadecimal digits, as IDs have. */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);
