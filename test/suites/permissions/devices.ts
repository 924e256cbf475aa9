import {
  deviceToken,
  makeAuthority,
  makeCertificate,
  makeDevice,
  makeKey,
} from '../../make/device-tokens.js';
import { applicationOf, NO_ROLES, standing, type Caller, type Kind, type World } from './callers.js';
import type { Standing } from './expectation.js';

const DEVICE = '/applications/{applicationId}/devices/{deviceId}';
/** A device collaborates in its application and has no other role. */
const INSIDE = { ...NO_ROLES, application: 'collaborate' } as const;
const READING = ['User', 'Organization', 'Application', 'Instance', 'Device'].map(
  (name) => `all.${name}.read`,
);
const NOT_VALID = 'Invalid access token';

interface Given {
  scopes?: readonly string[];
  /** Devices that may use its key or certificate: all, itself and the device in the path, or only itself. */
  key?: 'all' | 'named' | 'itself';
  /** Kind of certificate, if it signed in with one: registered, or issued to the device itself. */
  certificate?: 'registered' | 'own';
  /** Whether the device belongs to another application than the one in the path. */
  elsewhere?: boolean;
  /** Whether it is a gateway, and the device in the path its peripheral. */
  gateway?: boolean;
  /** Changes something after sign-in, before the device calls. */
  then?: (
    world: World,
    at: { application: string; deviceId: string; credential: string; authority: string },
  ) => Promise<unknown>;
}

const device = (name: string, more: Partial<Standing>, given: Given = {}): Kind => ({
  name: `a device ${name}`,
  standing: standing({ subject: 'device', scopes: ['all.Device'], roles: INSIDE, ...more }),
  make: (world, paths) => makeCaller(world, paths, given, more.scopes),
});

async function makeCaller(
  world: World,
  paths: readonly string[],
  { key = 'all', certificate, elsewhere, gateway, then }: Given,
  scopes: readonly string[] | undefined,
): Promise<Caller> {
  const { test, owner, samples } = world;
  const id = elsewhere ? await samples.of(owner).insertApplication() : await applicationOf(world);
  const isAsked = paths.some((path) => path.startsWith(DEVICE));
  const { id: deviceId } = await makeDevice(test, owner.token, id, gateway ? { deviceClass: 'gateway' } : {});
  if (gateway && isAsked) await bind(world, await samples.idOf(DEVICE), deviceId);
  const named = key === 'named' && isAsked ? [await samples.idOf(DEVICE)] : [];
  const deviceIds = key === 'all' ? [] : [deviceId, ...named];
  const application = `/applications/${id}`;
  const caller = (credential: Parameters<typeof deviceToken>[2]): Caller => ({
    token: deviceToken(test, deviceId, credential, scopes),
    user: owner,
    samples: {},
  });
  if (!certificate) {
    const { id: keyId } = await makeKey(test, owner.token, id, { deviceIds });
    await then?.(world, { application, deviceId, credential: `${application}/keys/${keyId}`, authority: '' });
    return caller(keyId);
  }
  const authority = await makeAuthority(test, owner.token, id);
  const body = certificate === 'registered' ? { deviceIds } : undefined;
  const { claim, id: rowId = '' } = await makeCertificate(test, owner.token, id, { body, authority });
  await then?.(world, {
    application,
    deviceId,
    credential: `${application}/certificates/${rowId}`,
    authority: `${application}/certificate-authorities/${authority.id}`,
  });
  return caller({ ...claim, own: certificate === 'own' });
}

/** Makes a device the peripheral of a gateway. */
async function bind(world: World, deviceId: string, gatewayId: string): Promise<void> {
  const path = `/applications/${await applicationOf(world)}/devices/${deviceId}`;
  const body = { deviceClass: 'peripheral', gatewayId };
  const { status } = await world.test.client.patch(path, body, { token: world.owner.token });
  if (status !== 200) throw new Error(`The device could not become a peripheral: ${status}`);
}

export const DEVICES: readonly Kind[] = [
  device('with an unrestricted key', {}),
  device('with read-only scopes', { scopes: ['all.Device.read'] }),
  device('with a key restricted to itself and the device in the path', {}, { key: 'named' }),
  device('with a key restricted to itself', { reachesItself: true }, { key: 'itself' }),
  device(
    'with a key restricted to itself, and the gateway of the device in the path',
    { reachesItself: true, isGateway: true },
    { key: 'itself', gateway: true },
  ),
  device(
    'with read-only scopes and a key restricted to itself, and the gateway of the device in the path',
    { scopes: ['all.Device.read'], reachesItself: true, isGateway: true },
    { key: 'itself', gateway: true },
  ),
  device(
    'with read-only scopes and a key restricted to itself',
    { scopes: ['all.Device.read'], reachesItself: true },
    { key: 'itself' },
  ),
  device('of another application', { roles: NO_ROLES }, { elsewhere: true }),
  // The platform never issues such a token; even so, it would not give access to another application.
  device('with every read scope', { scopes: READING }),
  device(
    'that was deleted',
    { refused: NOT_VALID },
    {
      then: ({ test, owner }, { application, deviceId }) =>
        test.client.delete(`${application}/devices/${deviceId}`, { token: owner.token }),
    },
  ),
  device(
    'whose key was deleted',
    { refused: NOT_VALID },
    {
      then: ({ test, owner }, { credential }) => test.client.delete(credential, { token: owner.token }),
    },
  ),
  device(
    'whose key is inactive',
    { refused: NOT_VALID },
    {
      then: ({ test, owner }, { credential }) =>
        test.client.patch(credential, { status: 'inactive' }, { token: owner.token }),
    },
  ),
  device(
    'whose key is restricted to other addresses',
    { refused: NOT_VALID },
    {
      then: ({ test, owner }, { credential }) =>
        test.client.patch(
          credential,
          { addressFilterType: 'whitelist', addresses: ['203.0.113.7'] },
          { token: owner.token },
        ),
    },
  ),
  device(
    'with a certificate restricted to itself and the device in the path',
    {},
    { certificate: 'registered', key: 'named' },
  ),
  device(
    'with a certificate restricted to itself',
    { reachesItself: true },
    { certificate: 'registered', key: 'itself' },
  ),
  device('with a certificate issued to itself', { reachesItself: true }, { certificate: 'own' }),
  device(
    'with a certificate issued to itself, and the gateway of the device in the path',
    { reachesItself: true, isGateway: true },
    { certificate: 'own', gateway: true },
  ),
  device(
    'with a certificate of another application',
    { roles: NO_ROLES },
    { certificate: 'own', elsewhere: true },
  ),
  device('with a certificate without devices', { refused: NOT_VALID }, { certificate: 'registered' }),
  device(
    'whose certificate was deleted',
    { refused: NOT_VALID },
    {
      certificate: 'registered',
      key: 'itself',
      then: ({ test, owner }, { credential }) => test.client.delete(credential, { token: owner.token }),
    },
  ),
  device(
    'whose certificate is inactive',
    { refused: NOT_VALID },
    {
      certificate: 'registered',
      key: 'itself',
      then: ({ test, owner }, { credential }) =>
        test.client.patch(credential, { status: 'inactive' }, { token: owner.token }),
    },
  ),
  device(
    'whose authority was deleted',
    { refused: NOT_VALID },
    {
      certificate: 'own',
      then: ({ test, owner }, { authority }) => test.client.delete(authority, { token: owner.token }),
    },
  ),
  device(
    'whose authority is inactive',
    { refused: NOT_VALID },
    {
      certificate: 'registered',
      key: 'itself',
      then: ({ test, owner }, { authority }) =>
        test.client.patch(authority, { status: 'inactive' }, { token: owner.token }),
    },
  ),
];
