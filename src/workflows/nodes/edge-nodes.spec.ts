import { EDGE_ERROR, edgeResult, failing } from '../../../test/doubles/edge-result.js';
import { node, probe, runFlow } from '../../../test/doubles/run-flow.js';
import { runNode } from '../../../test/doubles/run-node.js';
import type { EdgeCommand, EdgeDevice, EdgePort } from '../engine/edge-port.js';
import type { ApiResult, Ports, Reply } from '../engine/ports.js';
import { agentConfigGetNode } from './agent-config-get/index.js';
import { agentConfigSetNode } from './agent-config-set/index.js';
import { delayNode } from './delay/index.js';
import { deviceChangeStateNode } from './device-change-state/index.js';
import { executeNode } from './execute/index.js';
import { fileReadNode } from './file-read/index.js';
import { fileWriteNode } from './file-write/index.js';
import { getPeripheralNode } from './get-peripheral/index.js';
import { httpResponseNode } from './http-response/index.js';
import { modbusReadNode } from './modbus-read/index.js';
import { modbusWriteNode } from './modbus-write/index.js';
import { mqttMessageNode } from './mqtt-message/index.js';
import type { NodeKind } from './node-kind.js';
import { udpSendNode } from './udp-send/index.js';

it.each<[NodeKind, object]>([
  [fileReadNode, { pathTemplate: '/a' }],
  [fileWriteNode, { pathTemplate: '/a' }],
  [executeNode, { commandTemplate: 'ls' }],
  [getPeripheralNode, { idTemplate: 'a' }],
  [agentConfigGetNode, { keyTemplate: 'a' }],
  [agentConfigSetNode, {}],
  [modbusReadNode, { hostTemplate: 'h' }],
  [modbusWriteNode, { hostTemplate: 'h' }],
  [udpSendNode, { portTemplate: 1 }],
])('$type fails on the platform', async (kind, config) => {
  const failed = { name: 'UnsupportedNodeError', message: 'The node runs on edge devices only' };
  await expect(runNode(kind, config)).rejects.toMatchObject(failed);
});

describe('FileReadNode', () => {
  const config = { pathTemplate: '/data/{{f}}', resultPath: 'r' };

  it('writes the content in an encoding', async () => {
    const calls: unknown[] = [];
    const readFile: EdgePort['readFile'] = async (...of) => {
      calls.push(of);
      return Buffer.from('hi');
    };
    expect(await edgeResult(fileReadNode, config, { readFile }, { f: 'a' })).toEqual({
      bytesRead: 2,
      value: 'hi',
    });
    const part = { ...config, encodingTemplate: 'hex', startTemplate: '-5', lengthTemplate: '{{n}}' };
    expect(await edgeResult(fileReadNode, part, { readFile }, { f: 'b', n: 4 })).toEqual({
      bytesRead: 2,
      value: '6869',
    });
    expect(calls).toEqual([
      ['/data/a', { start: 0, length: undefined }],
      ['/data/b', { start: -5, length: 4 }],
    ]);
  });

  it('writes errors of the file, and fails for invalid settings', async () => {
    expect(await edgeResult(fileReadNode, config, { readFile: failing('Bad') })).toEqual({
      error: EDGE_ERROR,
    });
    for (const wrong of [{ pathTemplate: '{{x}}' }, { startTemplate: 'x' }, { lengthTemplate: -1 }])
      await expect(edgeResult(fileReadNode, { ...config, ...wrong }, {})).rejects.toMatchObject({
        name: 'ValidationError',
      });
  });
});

describe('FileWriteNode', () => {
  it('writes texts in an encoding', async () => {
    const calls: unknown[] = [];
    const writeFile: EdgePort['writeFile'] = async (path, content, mode) =>
      void calls.push([path, content.toString(), mode]);
    const config = {
      pathTemplate: '/a',
      fileContentsTemplate: 'aGk=',
      encodingTemplate: 'base64',
      resultPath: 'r',
    };
    expect(await edgeResult(fileWriteNode, config, { writeFile })).toEqual({ value: true });
    const more = { shouldAppend: true, errorIfFileExists: true };
    await edgeResult(fileWriteNode, { ...config, ...more }, { writeFile });
    expect(calls).toEqual([
      ['/a', 'hi', { appends: false, isNew: false }],
      ['/a', 'hi', { appends: true, isNew: true }],
    ]);
    expect(await edgeResult(fileWriteNode, config, { writeFile: failing('Bad') })).toEqual({
      value: false,
      error: EDGE_ERROR,
    });
  });
});

describe('ExecuteNode', () => {
  it('writes the result of a command', async () => {
    const commands: EdgeCommand[] = [];
    const execute: EdgePort['execute'] = async (command) => {
      commands.push(command);
      return { stdout: 'x', stderr: '', exitCode: 1, signal: null, error: 'no' };
    };
    const config = {
      commandTemplate: 'echo {{a}}',
      cwdTemplate: '/tmp',
      envsTemplate: [{ keyTemplate: 'A', valueTemplate: '{{a}}' }],
      detached: true,
      resultPath: 'r',
    };
    expect(await edgeResult(executeNode, config, { execute }, { a: 1 })).toEqual({
      stdout: 'x',
      stderr: '',
      exitCode: 1,
      signal: null,
      error: { type: 'EXECUTE_ERROR', message: 'no' },
    });
    expect(commands).toEqual([
      { command: 'echo 1', directory: '/tmp', variables: { A: '1' }, encoding: 'utf8', isDetached: true },
    ]);
  });
});

describe('GetPeripheralNode', () => {
  const device = (id: string, name: string, ...tags: [key: string, value: string][]): EdgeDevice => ({
    id,
    name,
    tags: tags.map(([key, value]) => ({ key, value })),
    attributes: [{ name: 't', dataType: 'number' }],
  });
  const peripherals = [
    device('c', 'Beta', ['site', 'north'], ['site', 'roof']),
    device('a', 'Gamma', ['site', 'south'], ['type', 'pump']),
    device('b', 'Alpha', ['type', 'pump']),
  ];
  const find = (config: object, payload: object = {}) =>
    edgeResult(getPeripheralNode, { resultPath: 'r', ...config }, { peripherals }, payload);
  const tag = (keyTemplate: string, valueTemplate: string) => ({ keyTemplate, valueTemplate });

  it('finds one by ID or name', async () => {
    expect(await find({ idTemplate: '{{i}}' }, { i: 'C' })).toEqual({
      id: 'c',
      name: 'Beta',
      tags: { site: ['north', 'roof'] },
      attributes: [{ name: 't', dataType: 'number' }],
    });
    const flat = { tagsAsObject: false, attributesAsObject: true };
    expect(await find({ findMethod: 'name', idTemplate: 'Alpha', ...flat })).toMatchObject({
      tags: [{ key: 'type', value: 'pump' }],
      attributes: { t: { name: 't', dataType: 'number' } },
    });
    expect(await find({ findMethod: 'id', idTemplate: 'x' })).toBeNull();
  });

  it.each<[object, string[]]>([
    [{ findMethod: 'findByAllTags', tags: [tag('type', 'pump')] }, ['b', 'a']],
    [{ findMethod: 'findByAllTags', tags: [tag('type', 'pump'), tag('site', '')] }, ['a']],
    [{ findMethod: 'findByAnyTags', tags: [tag('', 'north'), tag('type', 'pump')] }, ['b', 'c', 'a']],
    [{ findMethod: 'findByAnyTags', tags: [] }, []],
    [{ findMethod: 'findByAllTags', sortField: 'id', sortDirection: 'desc' }, ['c', 'b', 'a']],
  ])('finds several: %j', async (config, ids) => {
    const found = (await find({ ...config, findMultiple: true })) as EdgeDevice[];
    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(await find(config)).toEqual(found[0] ?? null);
  });
});

describe('AgentConfigGetNode and AgentConfigSetNode', () => {
  it('read one setting or all', async () => {
    const setting = (key: string) => `value of ${key}`;
    const config = { keyTemplate: 'gateway.{{k}}', resultPath: 'r' };
    expect(await edgeResult(agentConfigGetNode, config, { setting }, { k: 'id' })).toEqual({
      key: 'gateway.id',
      value: 'value of gateway.id',
    });
    expect(await edgeResult(agentConfigGetNode, { getAll: true, resultPath: 'r' }, { setting })).toEqual({
      key: '.',
      value: 'value of .',
    });
  });

  it.each<[object]>([
    [{ configSource: [{ keyTemplate: 'gateway.id', valueTemplate: '{{d.a}}' }, { keyTemplate: '' }] }],
    [{ configSourceMethod: 'payloadPath', configSource: 's' }],
    [{ configSourceMethod: 'jsonTemplate', configSource: '{"gateway.id": "{{d.a}}"}' }],
  ])('change settings: %j', async (config) => {
    const changes: unknown[] = [];
    const changeSettings = (values: object): void => void changes.push(values);
    const payload = { d: { a: 'x' }, s: { 'gateway.id': 'x' } };
    const given = { ...config, resultPath: 'r' };
    expect(await edgeResult(agentConfigSetNode, given, { changeSettings }, payload)).toEqual({
      success: true,
    });
    expect(changes).toEqual([{ 'gateway.id': 'x' }]);
    const failed = await edgeResult(agentConfigSetNode, given, { changeSettings: failing('Bad') }, payload);
    expect(failed).toEqual({ success: false, error: EDGE_ERROR });
  });

  it('need an object', async () => {
    const config = { configSourceMethod: 'payloadPath', configSource: 's' };
    await expect(edgeResult(agentConfigSetNode, config, {}, { s: 1 })).rejects.toThrow('must be an object');
  });
});

describe('UdpSendNode', () => {
  it('sends a datagram', async () => {
    const sent: unknown[] = [];
    const sendUdp: EdgePort['sendUdp'] = async ({ message, ...to }) =>
      void sent.push([message.toString(), to]);
    const config = {
      portTemplate: '{{p}}',
      messageTemplate: '6869',
      encodingTemplate: 'hex',
      resultPath: 'r',
    };
    expect(await edgeResult(udpSendNode, config, { sendUdp }, { p: 9 })).toEqual({ success: true });
    expect(sent).toEqual([['hi', { host: '127.0.0.1', port: 9, isBroadcast: false }]]);
    expect(await edgeResult(udpSendNode, config, { sendUdp: failing('Bad') }, { p: 9 })).toEqual({
      error: EDGE_ERROR,
    });
    await expect(edgeResult(udpSendNode, config, {}, { p: 'x' })).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });
});

describe('HttpResponseNode', () => {
  const reply = async (config: object, payload: object): Promise<Reply | undefined> => {
    let sent: Reply | undefined;
    const replies = { reply: async (_run: unknown, _id: string, given: Reply) => void (sent = given) };
    await runNode(httpResponseNode, config, payload, { ports: { replies } as Partial<Ports> });
    return sent;
  };

  it('replies with security headers, which it can replace', async () => {
    const config = {
      responseCodeTemplate: '201',
      bodyTemplateType: 'path',
      bodyTemplate: 'working',
      headerInfo: [{ keyTemplate: 'Content-Type', valueTemplate: 'text/plain' }],
      cookieInfo: [{ nameTemplate: 'a', valueTemplate: 'b' }],
    };
    const sent = await reply(config, { data: { replyId: 'x' }, working: { a: 1 } });
    expect(sent).toMatchObject({ status: 201, body: '{"a":1}' });
    expect(sent!.headers).toMatchObject({
      'content-type': 'text/plain',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-cache, no-store, must-revalidate',
      'set-cookie': ['a=b; Path=/; HttpOnly; SameSite=Lax'],
    });
    const plain = await reply({ responseCodeTemplate: 'x' }, { data: { replyId: 'x' } });
    expect(plain).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' }, body: '' });
  });

  it('does nothing without a request', async () => {
    expect(await reply({ bodyTemplate: 'x' }, { data: {} })).toBeUndefined();
  });
});

describe('On edge devices', () => {
  it('MqttMessageNode publishes to the local and to external brokers', async () => {
    const sent: unknown[] = [];
    const publish: EdgePort['publish'] = async (...of) => void sent.push(of);
    const config = { topicTemplate: 't/{{x}}', messageTemplate: 'm' };
    await edgeResult(mqttMessageNode, { ...config, integrationId: 'local' }, { publish }, { x: 1 });
    const external = { ...config, integrationId: 'external', configNameTemplate: 'line' };
    await edgeResult(mqttMessageNode, external, { publish }, { x: 2 });
    expect(sent).toEqual([
      [{ type: 'local' }, 't/1', 'm'],
      [{ type: 'external', name: 'line' }, 't/2', 'm'],
    ]);
    await expect(runNode(mqttMessageNode, external)).rejects.toMatchObject({ name: 'NotAvailable' });
  });

  it('DeviceChangeStateNode reports for the gateway unless it names a device', async () => {
    const reported: unknown[] = [];
    const call = async (_actor: unknown, _operation: string, parameters: object): Promise<ApiResult> => {
      reported.push(parameters);
      return { result: { success: true } };
    };
    const own = 'a'.repeat(24);
    const config = { attrInfos: [{ key: 't', valueTemplate: '1' }], resultPath: 'r' };
    const edge = { deviceId: own };
    expect(await edgeResult(deviceChangeStateNode, config, edge, {}, { api: { call } })).toEqual({
      success: true,
    });
    const named = { ...config, deviceId: '{{d}}' };
    await edgeResult(deviceChangeStateNode, named, edge, { d: 'b'.repeat(24) }, { api: { call } });
    expect(reported).toEqual([{ deviceId: own }, { deviceId: 'b'.repeat(24) }]);
  });

  it('DelayNode waits for more than a minute', async () => {
    const nodes = [
      probe('fork', [['delay', 'fail']]),
      node('delay', 'DelayNode', { delay: 61 }),
      probe('fail'),
    ];
    const steps = { fork: () => 0, fail: failing('Stopped') };
    const { failure } = await runFlow(nodes, { steps, ports: { edge: {} as EdgePort } });
    expect(failure?.errorInfo.error.name).toBe('Stopped');
    await expect(edgeResult(delayNode, { delay: '3000000' }, {})).rejects.toMatchObject({
      name: 'ValidationError',
    });
  });
});
