import { Injectable } from '@nestjs/common';
import { DeviceListsRepository } from '../../modules/devices/devices/device-lists.repository.js';
import { shapeOf } from '../../modules/devices/devices/device.forms.js';
import { RunsIn } from '../../platform/processes/roles.js';
import { RunFault } from '../../workflows/engine/run-error.js';
import { isId } from '../../workflows/graph/graph.js';
import { SyntaxFault } from '../../workflows/language/syntax-fault.js';
import { requestContext } from '../pages/page-context.js';
import type { Visit } from '../visit.js';

/** Decision about a request to an endpoint. */
export type AccessDecision =
  | { readonly isGranted: true; /** Device that granted access. */ readonly device?: object }
  /** `401` if nobody has signed in, `403` if the user has no access. */
  | { readonly isGranted: false; readonly status: 401 | 403 };

const GRANTED: AccessDecision = { isGranted: true };
const UNAUTHORIZED: AccessDecision = { isGranted: false, status: 401 };
const FORBIDDEN: AccessDecision = { isGranted: false, status: 403 };

const DEVICE_SHAPE = shapeOf({ tagsAsObject: true, attributesAsObject: true });

/** Decides who may request an endpoint. */
@Injectable()
@RunsIn('sites')
export class EndpointAccess {
  constructor(private readonly devices: DeviceListsRepository) {}

  /** Returns the decision at once if it needs no device. */
  decide(visit: Visit): AccessDecision | Promise<AccessDecision> {
    const { endpoint, visitor } = visit;
    if (!endpoint || endpoint.access === 'public') return GRANTED;
    if (!visitor) return UNAUTHORIZED;
    switch (endpoint.access) {
      case 'authenticated':
        return GRANTED;
      case 'group':
        return visitor.user.experienceGroups.some(({ id }) => endpoint.memberGroupIds.has(id))
          ? GRANTED
          : FORBIDDEN;
      case 'device':
        return this.byDevice(visit, visitor.user.id);
    }
  }

  /** Grants access if a group of the user, or one below it, contains the device of the request. */
  private async byDevice(visit: Visit, userId: string): Promise<AccessDecision> {
    const { version } = visit;
    const deviceId = deviceIdOf(visit);
    if (!isId(deviceId)) return FORBIDDEN;
    const query = { $and: [{ id: { $eq: deviceId.toLowerCase() } }, { experienceUserId: { $eq: userId } }] };
    const { id } = version.application;
    const { items } = await this.devices.page(
      { id, ownerId: version.ownerId, ownerType: version.ownerType, role: 'view' },
      { list: { sortField: 'id', sortDirection: 'asc', page: 0, perPage: 1, query }, queryDeleted: false },
      DEVICE_SHAPE,
    );
    const device = items[0]?.toObject();
    return device ? { isGranted: true, device } : FORBIDDEN;
  }
}

/** Returns the ID that the template of the endpoint renders to. One that is broken yields none. */
function deviceIdOf(visit: Visit): string | undefined {
  try {
    return visit.endpoint?.deviceId?.(requestContext(visit)).trim();
  } catch (error) {
    if (error instanceof RunFault || error instanceof SyntaxFault) return undefined;
    throw error;
  }
}
