import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { WebSocket } from 'ws';
import { connackOf, MqttDevice } from '../../../test/doubles/mqtt-device.js';
import { issue, issueForDevice, named, type Issued } from '../../../test/make/certificates.js';
import { makeAuthority } from '../../../test/make/device-tokens.js';
import { brokerSuite } from '../../../test/setup/broker.js';
import { freePort } from '../../../test/setup/free-port.js';
import { waitUntil } from '../../../test/setup/until.js';
import { MqttServer } from './mqtt-server.js';

const folder = mkdtempSync(join(tmpdir(), 'fieldwright-tls-'));
const files = { MQTT_TLS_KEY_FILE: join(folder, 'key.pem'), MQTT_TLS_CERT_FILE: join(folder, 'cert.pem') };
const [MQTT_TLS_PORT, MQTT_WS_PORT] = [await freePort(), await freePort()];
const suite = brokerSuite({
  ...files,
  MQTT_TLS_PORT,
  MQTT_WS_PORT,
  TRUST_PROXY: '1',
  CLIENT_CERTIFICATE_PROXIES: '127.0.0.1',
});

const keyPem = async ({ keys }: Issued) => {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
};
/** Writes the certificate of the server, for `localhost`. */
async function writeCertificate(): Promise<string> {
  const issued = await issue({ subject: 'CN=localhost', extensions: [named(['localhost'])] });
  writeFileSync(files.MQTT_TLS_KEY_FILE, await keyPem(issued));
  writeFileSync(files.MQTT_TLS_CERT_FILE, issued.pem);
  return issued.pem;
}
let ca = await writeCertificate();
afterAll(() => rmSync(folder, { recursive: true }));

const at = (mqttUrl: string) => Object.assign(Object.create(suite.test), { mqttUrl }) as typeof suite.test;
const tls = `mqtts://localhost:${MQTT_TLS_PORT}`;
const apiPort = () => new URL(suite.test.client.url).port;

describe('A device connects', () => {
  it.each<[string, () => string]>([
    ['over TLS', () => tls],
    ['with a WebSocket at the port for those', () => `ws://127.0.0.1:${MQTT_WS_PORT}/any/path`],
    ['with a WebSocket at the port of the API', () => `ws://127.0.0.1:${apiPort()}/mqtt`],
    ['with a WebSocket without a path', () => `ws://127.0.0.1:${apiPort()}/`],
  ])('%s, and exchanges messages', async (_, urlOf) => {
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id, { at: at(urlOf()), ca });
    await device.subscribe('a', suite.topic(id, 'command'));
    const message = 'x'.repeat(100_000);
    await device.publish('a', message);
    await suite.post(`/devices/${id}/command`, { name: 'open' });
    expect((await device.texts(2))[0]).toBe(message);
    await device.disconnect();
    await waitUntil(async () => (await suite.logOf(id)).length === 2);
    expect((await suite.logOf(id))[1]).toMatchObject({ messagesFromClient: 1, messagesToClient: 2 });
  });

  it('from behind a proxy with its own address', async () => {
    const { id } = await suite.makeDevice();
    const key = await suite.makeKey({ addressFilterType: 'whitelist', addresses: ['203.0.113.7'] });
    const wsOptions = { headers: { 'x-forwarded-for': '192.0.2.1, 203.0.113.7' } };
    const url = `ws://127.0.0.1:${apiPort()}/mqtt`;
    await suite.connect(id, { at: at(url), key, wsOptions });
    expect((await suite.logOf(id))[0]).toMatchObject({ ipAddress: '203.0.113.7' });
    expect(await connackOf(suite.connect(id, { at: at(url), key }))).toBe(5);
  });
});

describe('A device with a certificate', () => {
  const options = async (issued: Issued) => ({
    at: at(tls),
    ca,
    cert: issued.pem,
    key: { key: '', secret: '' },
    username: undefined,
    password: undefined,
    keyPem: await keyPem(issued),
  });
  const connect = async (id: string, issued: Issued, more: object = {}) => {
    const { keyPem: key, ...given } = { ...(await options(issued)), ...more };
    return MqttDevice.connect(tls, id, { key: '', secret: '' }, { ...given, key });
  };

  it('signs in without a key, and only where its certificate says', async () => {
    const authority = await makeAuthority(suite.test, suite.user.token, suite.application.id);
    const [own, registered, other] = await Promise.all([1, 2, 3].map(() => suite.makeDevice()));
    const issued = await issueForDevice(authority, { subject: `CN=${own!.id}` });
    const device = await connect(own!.id, issued);
    expect(
      await device.subscribe(suite.topic(own!.id, 'command'), 'a', suite.topic(other!.id, 'state')),
    ).toEqual([0, 128, 128]);
    await device.publish(suite.topic(own!.id, 'state'), { data: {} });
    await device.disconnect();
    expect(await connackOf(connect(other!.id, issued))).toBe(5);
    expect(await connackOf(connect('0'.repeat(24), issued))).toBe(2);
    const body = { deviceIds: [registered!.id], filterType: 'all' };
    const keys = await issueForDevice(authority);
    const path = `${suite.path}/certificates`;
    const certificate = { certificate: keys.pem, ...body };
    expect((await suite.test.client.post(path, certificate, { token: suite.user.token })).status).toBe(201);
    const listed = await connect(registered!.id, keys);
    expect(await listed.subscribe('a')).toEqual([0]);
    // The authority signs in nobody any more.
    await suite.test.client.delete(`${suite.path}/certificate-authorities/${authority.id}`, {
      token: suite.user.token,
    });
    await listed.ends();
    expect(await connackOf(connect(registered!.id, keys))).toBe(5);
  });

  it('is disconnected when that ends', async () => {
    const authority = await makeAuthority(suite.test, suite.user.token, suite.application.id);
    const { id } = await suite.makeDevice();
    const notAfter = new Date(Date.now() + 3_000);
    const device = await connect(id, await issueForDevice(authority, { subject: `CN=${id}`, notAfter }));
    await device.ends();
    await waitUntil(async () => (await suite.logOf(id)).length === 2);
    expect((await suite.logOf(id))[1].disconnectReason).toBe('Certificate expired');
  });

  it('uses the key if it presents both', async () => {
    const { id } = await suite.makeDevice();
    const foreign = await issue({ subject: 'CN=nobody' });
    const device = await suite.connect(id, {
      at: at(tls),
      ca,
      cert: foreign.pem,
      tlsKey: await keyPem(foreign),
    });
    expect(await device.subscribe('a')).toEqual([0]);
  });

  it('signs in through a proxy that has verified it', async () => {
    const authority = await makeAuthority(suite.test, suite.user.token, suite.application.id);
    const { id } = await suite.makeDevice();
    const { pem } = await issueForDevice(authority, { subject: `CN=${id}` });
    const wsOptions = { headers: { 'client-cert': encodeURIComponent(pem) } };
    const url = `ws://127.0.0.1:${apiPort()}/mqtt`;
    const device = await MqttDevice.connect(
      url,
      id,
      { key: '', secret: '' },
      {
        wsOptions,
        username: undefined,
        password: undefined,
      },
    );
    await device.disconnect();
  });
});

describe('The listener over TLS', () => {
  it('uses a renewed certificate, and keeps the old one while the files are not readable', async () => {
    const subjectOf = async () => {
      const socket = connectTls({
        port: Number(MQTT_TLS_PORT),
        host: 'localhost',
        rejectUnauthorized: false,
      });
      await once(socket, 'secureConnect');
      const { fingerprint256 } = socket.getPeerCertificate();
      socket.destroy();
      return fingerprint256;
    };
    const server = suite.test.app.get(MqttServer, { strict: false });
    const tlsServer = server['servers'].find((one) => 'setSecureContext' in one)!;
    const current = { key: 'x', cert: 'x' };
    const before = await subjectOf();
    writeFileSync(files.MQTT_TLS_KEY_FILE, 'no key');
    await server['renew'](tlsServer as never, current);
    expect(await subjectOf()).toBe(before);
    ca = await writeCertificate();
    await server['renew'](tlsServer as never, current);
    expect(await subjectOf()).not.toBe(before);
  });
});

describe('The listeners', () => {
  const open: Socket[] = [];
  afterEach(() => {
    for (const socket of open.splice(0)) socket.destroy();
  });
  const raw = async (port: string, text: string) => {
    const socket = connectTcp(Number(port), '127.0.0.1');
    open.push(socket);
    socket.on('error', () => undefined);
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.write(text);
    await once(socket, 'close');
    return received;
  };

  it('answer HTTP requests that ask for no WebSocket', async () => {
    const head = `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await raw(MQTT_WS_PORT, head)).toMatch(/^HTTP\/1.1 426 /);
    expect(await raw(apiPort(), head.replace('GET /', 'GET /mqtt'))).toMatch(/^HTTP\/1.1 404 /);
  });

  it('refuse WebSockets with messages of text', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${MQTT_WS_PORT}/mqtt`, 'mqtt');
    await once(socket, 'open');
    socket.send('CONNECT');
    await once(socket, 'close');
  });

  it('close connections of clients that are no MQTT clients', async () => {
    expect(await raw(new URL(suite.test.mqttUrl).port, 'GET / HTTP/1.1\r\n\r\n')).toBe('');
    expect(await raw(MQTT_TLS_PORT, 'GET / HTTP/1.1\r\n\r\n')).not.toContain('HTTP');
  });

  it('limit the connections of clients that have not signed in', async () => {
    const port = Number(new URL(suite.test.mqttUrl).port);
    const { id } = await suite.makeDevice();
    const device = await suite.connect(id);
    for (let n = 0; n < 1_010; n++) {
      const socket = connectTcp(port, '127.0.0.1');
      socket.on('error', () => undefined);
      open.push(socket);
    }
    await waitUntil(async () => open.filter(({ closed }) => closed).length >= 10);
    expect(open.filter(({ closed }) => closed).length).toBeLessThanOrEqual(20);
    expect(await connackOf(suite.connect((await suite.makeDevice()).id))).not.toBe(0);
    await device.publish('a', 'x');
    for (const socket of open.splice(0)) socket.destroy();
    await waitUntil(async () => (await connackOf(suite.connect(id))) === 0);
  });
});
