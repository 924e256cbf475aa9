import { apiError, RecordedApi } from '../../../../test/doubles/recorded-api.js';
import { runNode } from '../../../../test/doubles/run-node.js';
import { edgeDeployNode } from './index.js';

const [DEVICE, OTHER, FLOW, NODE] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
  string,
];
const data = {
  device: DEVICE,
  flows: [
    { flowId: FLOW, version: '1' },
    { flowId: NODE, version: null },
  ],
};

async function deploy(config: object, answers: Record<string, unknown> = { 'edgeDeployments.release': {} }) {
  const api = new RecordedApi(answers);
  const { payload } = await runNode(
    edgeDeployNode,
    { resultPath: 'r', ...config },
    { data },
    { ports: { api } },
  );
  return { calls: api.calls, r: (payload as { r: unknown }).r };
}

describe('EdgeDeployNode', () => {
  it.each<[string, object]>([
    [
      'templates',
      {
        flowsTemplate: [
          { flowIdTemplate: FLOW, flowVersionTemplate: '1' },
          { flowIdTemplate: '{{data.flows.[1].flowId}}', flowVersionTemplate: null },
        ],
      },
    ],
    ['a path', { flowsMethod: 'payloadPath', flowsPayloadPath: 'data.flows' }],
    ['a JSON template', { flowsMethod: 'jsonTemplate', flowsJsonTemplate: '{{jsonEncode data.flows}}' }],
  ])('deploys the workflows of %s to a device', async (_name, config) => {
    const { calls, r } = await deploy({ ...config, deviceIdTemplate: '{{data.device}}' });
    expect(calls).toEqual([
      ['edgeDeployments.release', {}, { flowId: FLOW, version: '1', deviceIds: [DEVICE] }],
      ['edgeDeployments.release', {}, { flowId: NODE, version: null, deviceIds: [DEVICE] }],
    ]);
    expect(r).toEqual({ success: true, scheduled: 2, errors: [] });
  });

  it('deploys to the edge devices that a query finds', async () => {
    const config = {
      flowsMethod: 'payloadPath',
      flowsPayloadPath: 'data.flows',
      deviceQueryTemplate: '{"name":"x"}',
    };
    const found = { items: [{ id: DEVICE }, { id: OTHER }], totalCount: 2 };
    const { calls } = await deploy(config, { 'devices.get': found, 'edgeDeployments.release': {} });
    const query = { $and: [{ deviceClass: { $eq: 'edgeCompute' } }, { name: 'x' }] };
    expect(calls[0]).toEqual(['devices.get', { query, perPage: 1000, excludeConnectionInfo: true }]);
    expect(calls[1]![2]).toEqual({ flowId: FLOW, version: '1', deviceIds: [DEVICE, OTHER] });
    const none = await deploy(config, { 'devices.get': { items: [], totalCount: 0 } });
    expect(none).toMatchObject({ calls: { length: 1 }, r: { success: true, scheduled: 0, errors: [] } });
  });

  it('writes the errors of workflows that cannot be deployed', async () => {
    const refused = apiError(400, 'Validation', 'version is not a version');
    const config = { flowsMethod: 'payloadPath', flowsPayloadPath: 'data.flows', deviceIdTemplate: DEVICE };
    const error = { type: 'Validation', message: 'version is not a version' };
    expect((await deploy(config, { 'edgeDeployments.release': refused })).r).toEqual({
      success: false,
      scheduled: 0,
      errors: [
        { flowId: FLOW, ...error },
        { flowId: NODE, ...error },
      ],
    });
  });

  it.each<[object, string]>([
    [{ flowsTemplate: [] }, 'flowsTemplate must be a list of 1 to 25 workflows'],
    [{ flowsTemplate: [{ flowIdTemplate: 'x' }] }, 'flowsTemplate.0.flowId must be the ID of a workflow'],
    [{ flowsMethod: 'payloadPath', flowsPayloadPath: 'data' }, 'flowsPayloadPath must be a list'],
    [
      { flowsMethod: 'jsonTemplate', flowsJsonTemplate: `[{"flowId":"${FLOW}","version":1}]` },
      'flowsJsonTemplate.0.version must be the name of a version',
    ],
    [{ flowsTemplate: [{ flowIdTemplate: FLOW }], deviceIdTemplate: 'x' }, 'deviceIdTemplate must be the ID'],
  ])('fails the run with %j', async (config, message) => {
    await expect(deploy({ deviceIdTemplate: DEVICE, ...config })).rejects.toMatchObject({
      name: 'ValidationError',
      message: expect.stringContaining(message),
    });
  });

  it('fails the run if a query finds more than 1,000 devices', async () => {
    const config = { flowsMethod: 'payloadPath', flowsPayloadPath: 'data.flows', deviceQueryTemplate: '{}' };
    const found = { 'devices.get': { items: [], totalCount: 1001 } };
    await expect(deploy(config, found)).rejects.toThrow(
      'deviceQueryTemplate must match at most 1000 devices',
    );
  });
});
