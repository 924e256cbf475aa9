import type { Notification, User } from 'net-snmp';
import { isObject } from '../../lib/json/json.js';
import type { Json } from '../../workflows/graph/graph.js';
import { optionalPackage } from '../ports/optional-package.js';
import { textIn, type Driver } from './driver.js';

type Snmp = typeof import('net-snmp');

/** Fires for each trap and inform request of SNMP with the community or the user of the trigger. */
export const snmpTrap: Driver = async ({ config, fire, log }) => {
  const snmp = await optionalPackage<Snmp>('net-snmp', async () => {
    const loaded = (await import('net-snmp')) as Snmp & { default?: Snmp };
    return loaded.default ?? loaded;
  });
  const port = Number(textIn(config, 'udpPort') || 162);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error('config.udpPort must be a port from 1 to 65535');
  const given = isObject(config.snmpTrapConfig) ? config.snmpTrapConfig : {};
  let lastError = '';
  const receiver = snmp.createReceiver({ port, includeAuthentication: true }, (error, notification) => {
    if (!error) return fire({ data: dataOf(notification, notification.pdu.type === snmp.PduType.Trap) });
    // Anybody in the network can cause errors.
    if (error.message !== lastError)
      log.warn(`A notification on the UDP port ${port} was refused: ${error.message}`);
    lastError = error.message;
  });
  const authorizer = receiver.getAuthorizer();
  if (isObject(given.user)) authorizer.addUser(userOf(given.user, snmp));
  else authorizer.addCommunity(textIn(given, 'community') || 'public');
  return () => receiver.close();
};

function dataOf({ pdu, rinfo }: Notification, isFirstVersion: boolean): object {
  const { id, type, varbinds, community, user } = pdu;
  const sender =
    user === undefined
      ? { community, version: isFirstVersion ? '1' : '2c' }
      : { username: user, version: '3' };
  // Values of some types are bytes.
  const readable = varbinds.map((one) => ({
    ...one,
    value: Buffer.isBuffer(one.value) ? one.value.toString() : one.value,
  }));
  return {
    sourcePort: rinfo.port,
    sourceAddress: rinfo.address,
    message: { ...sender, pdu: { id, type, varbinds: readable } },
  };
}

function userOf(given: Json, { SecurityLevel, AuthProtocols, PrivProtocols }: Snmp): User {
  const name = textIn(given, 'name');
  const level = textIn(given, 'securityLevel');
  const auth = {
    authProtocol: given.authMethod === 'md5' ? AuthProtocols.md5 : AuthProtocols.sha,
    authKey: textIn(given, 'authKey'),
  };
  switch (level) {
    case 'auth':
      return { name, level: SecurityLevel.authNoPriv, ...auth };
    case 'authAndEncrypt':
      return {
        name,
        level: SecurityLevel.authPriv,
        ...auth,
        privProtocol: given.encryptionMethod === 'des' ? PrivProtocols.des : PrivProtocols.aes,
        privKey: textIn(given, 'encryptionKey'),
      };
    default:
      return { name, level: SecurityLevel.noAuthNoPriv };
  }
}
