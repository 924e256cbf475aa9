import { Injectable } from '@nestjs/common';
import { AccessCache } from '../../../platform/access/access-cache.js';
import type { Principal } from '../../../platform/access/principal.js';
import { Permissions } from '../../../platform/access/permissions.js';
import type { Author } from '../../../platform/audit/author.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import type { ListParameters } from '../../../platform/lists/list-query.js';
import type { StoredResource, StoredPage } from '../../../platform/responses/stored-resources.js';
import type { Instance, InstancePatch } from './instance.resource.js';
import { checkReportConfigs } from './instance.rules.js';
import { InstancesRepository } from './instances.repository.js';

/** Reads and updates instances. The first start creates one; requests neither create nor delete any. */
@Injectable()
export class InstancesService {
  constructor(
    private readonly instances: InstancesRepository,
    private readonly cache: AccessCache,
    private readonly permissions: Permissions,
  ) {}

  list(caller: Principal, list: ListParameters): Promise<StoredPage<Instance>> {
    return this.instances.page(caller, list);
  }

  get(id: string): Promise<StoredResource<Instance>> {
    return this.instances.obtain(id);
  }

  /** A change of `mfaMode` takes effect on the access of members immediately. */
  async patch(id: string, patch: InstancePatch, by: Author): Promise<StoredResource<Instance>> {
    const { mfaMode, reportConfigs } = patch;
    const changes = reportConfigs ? { ...patch, reportConfigs: checkReportConfigs(reportConfigs) } : patch;
    if (mfaMode && mfaMode !== 'notRequired') await this.assertSecondFactor(by.caller);
    const changed = await this.instances.change(id, changes, by);
    if (mfaMode) await this.cache.evict(id);
    return changed;
  }

  /** Without two-factor authentication, the caller would lose the permission to revert the change. */
  private async assertSecondFactor({ subject }: Principal): Promise<void> {
    if (subject.type === 'user' && !(await this.permissions.hasSecondFactor(subject.id)))
      throw new ValidationError(
        'instance.mfaMode requires two-factor authentication: enable it for yourself first',
      );
  }
}
