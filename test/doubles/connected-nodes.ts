import type { Ports } from '../../src/workflows/engine/ports.js';
import { Connectors } from '../../src/workflows/connectors/connectors.js';
import type { NodeKind } from '../../src/workflows/nodes/node-kind.js';
import { runNode } from './run-node.js';

/** Executes nodes with a process of connectors that may reach the given servers, until the suite ends. */
export function connectedNodes(allowed: () => readonly string[]) {
  const started = {} as { connectors: Connectors };
  beforeAll(() => {
    started.connectors = new Connectors(allowed());
  });
  afterAll(() => started.connectors.stop());

  /** Returns the payload after a node, which begins as `payload`. */
  async function after(
    kind: NodeKind,
    config: object,
    payload: object = {},
    ports: Partial<Ports> = {},
  ): Promise<any> {
    const { connectors } = started;
    return (await runNode(kind, config, payload, { ports: { connectors, ...ports } })).payload;
  }
  return { started, after };
}
