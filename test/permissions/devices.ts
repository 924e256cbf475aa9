import { deviceToken, makeDevice, makeKey } from '../device-tokens.js';
import { applicationOf, NO_ROLES, standing, type Caller, type Kind, type World } from './callers.js';
import type { Standing } from './expectation.js';

const DEVICE = '/applications/{applicationId}/devices/{deviceId}';
/** A device works in its application and runs nothing there. */
const INSIDE = { ...NO_ROLES, application: 'collaborate' } as const;
const READING = ['User', 'Organization', 'Application', 'Instance', 'Device'].map(
  (name) => `all.${name}.read`,
);
const NOT_VALID = 'Invalid access token';

interface Given {
  scopes?: readonly string[];
  /** Which devices may use its key: all, itself and the one that a path names, or itself alone. */
  key?: 'all' | 'named' | 'itself';
  /** Whether its application is another one than a path names. */
  elsewhere?: boolean;
  /** What becomes of it before it calls. */
  then?: (world: World, at: { application: string; deviceId: string; keyId: string }) => Promise<unknown>;
}

const device = (name: string, more: Partial<Standing>, given: Given = {}): Kind => ({
  name: `a device ${name}`,
  standing: standing({ subject: 'device', scopes: ['all.Device'], roles: INSIDE, ...more }),
  make: (world, paths) => makeCaller(world, paths, given, more.scopes),
});

async function makeCaller(
  world: World,
  paths: readonly string[],
  { key = 'all', elsewhere, then }: Given,
  scopes: readonly string[] | undefined,
): Promise<Caller> {
  const { test, owner, samples } = world;
  const id = elsewhere ? await samples.of(owner).insertApplication() : await applicationOf(world);
  const { id: deviceId } = await makeDevice(test, owner.token, id);
  const named =
    key === 'named' && paths.some((path) => path.startsWith(DEVICE)) ? [await samples.idOf(DEVICE)] : [];
  const deviceIds = key === 'all' ? [] : [deviceId, ...named];
  const { id: keyId } = await makeKey(test, owner.token, id, { deviceIds });
  await then?.(world, { application: `/applications/${id}`, deviceId, keyId });
  return { token: deviceToken(test, deviceId, keyId, scopes), user: owner, samples: {} };
}

export const DEVICES: readonly Kind[] = [
  device('whose key all may use', {}),
  device('that only reads', { scopes: ['all.Device.read'] }),
  device('whose key names the device of the path', {}, { key: 'named' }),
  device('whose key names itself alone', { reachesItself: true }, { key: 'itself' }),
  device(
    'that only reads, whose key names itself alone',
    { scopes: ['all.Device.read'], reachesItself: true },
    { key: 'itself' },
  ),
  device('of another application', { roles: NO_ROLES }, { elsewhere: true }),
  // No such token can be made; were there one, it would still not leave its application.
  device('with every scope that reads', { scopes: READING }),
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
      then: ({ test, owner }, { application, keyId }) =>
        test.client.delete(`${application}/keys/${keyId}`, { token: owner.token }),
    },
  ),
  device(
    'whose key is inactive',
    { refused: NOT_VALID },
    {
      then: ({ test, owner }, { application, keyId }) =>
        test.client.patch(`${application}/keys/${keyId}`, { status: 'inactive' }, { token: owner.token }),
    },
  ),
  device(
    'whose key lets in other addresses',
    { refused: NOT_VALID },
    {
      then: ({ test, owner }, { application, keyId }) =>
        test.client.patch(
          `${application}/keys/${keyId}`,
          { addressFilterType: 'whitelist', addresses: ['203.0.113.7'] },
          { token: owner.token },
        ),
    },
  ),
];
