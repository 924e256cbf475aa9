import type { TestApp } from '../setup/app.js';
import { CUSTOM_NODE } from './flows.js';
import { makeInstance, makeInstanceMember } from './make.js';

/** The smallest custom node of an instance. */
export const NODE = { name: 'Average', triggers: CUSTOM_NODE.triggers!, nodes: CUSTOM_NODE.nodes! };

/** Creates an instance with an admin. Returns the operations on its custom nodes, called as the admin by default. */
export async function instanceWithNodes(test: TestApp, more: object = {}) {
  const { id } = await makeInstance(test, more);
  const admin = await makeInstanceMember(test, 'admin', { instanceId: id });
  const { token } = admin;
  const path = `/instances/${id}/nodes`;
  const create = (body: unknown = NODE, as = token) => test.client.post(path, body, { token: as });
  return {
    id,
    admin,
    token,
    path,
    create,
    list: (query = '', as = token) => test.client.get(`${path}${query}`, { token: as }),
    async made(body: object = {}): Promise<any> {
      const answer = await create({ ...NODE, ...body });
      if (answer.status !== 201)
        throw new Error(`Could not create a custom node: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    get: (node: string, as = token) => test.client.get(`${path}/${node}`, { token: as }),
    patch: (node: string, body: unknown, as = token) =>
      test.client.patch(`${path}/${node}`, body, { token: as }),
    remove: (node: string, as = token) => test.client.delete(`${path}/${node}`, { token: as }),
  };
}
