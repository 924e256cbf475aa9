import type { Client, Exchange } from '../contract/client.js';

/** Paths that delete what an operation has created outside of what another one deletes. */
const REMOVALS: Readonly<Record<string, (body: any, path: string) => string | undefined>> = {
  'applications.post': ({ id }) => `/applications/${id}`,
  'applications.import': ({ application }) => application && `/applications/${application.id}`,
  'application.clone': ({ application }) => application && `/applications/${application.id}`,
  'orgs.post': ({ id }) => `/orgs/${id}`,
  'instanceOrgs.post': ({ id }, path) => `${path}/${id}`,
  'instanceMembers.post': ({ id, userId }, path) => `${path}/${userId ?? id}`,
  'instanceApiTokens.post': ({ id }, path) => `${path}/${id}`,
  'instanceCustomNodes.post': ({ id }, path) => `${path}/${id}`,
  'userApiTokens.post': ({ id }) => `/me/tokens/${id}`,
};

interface Removal {
  path: string;
  token?: string;
}

/** What the tests have created on a deployed platform, and must delete. */
export class Created {
  private removals: Removal[] = [];

  /** Remembers what an exchange has created. */
  note({ operation, path, token, answer }: Exchange): void {
    const removal = answer.status < 300 && REMOVALS[operation]?.(answer.body, path.split('?')[0]!);
    if (removal) this.removals.push({ path: removal, token });
  }

  /** Deletes it, latest first. Throws if anything remains. */
  async remove(client: Client): Promise<void> {
    const removals = this.removals.reverse();
    this.removals = [];
    const left: string[] = [];
    for (const { path, token } of removals) {
      const { status } = await client.delete(path, { token });
      if (status >= 300 && status !== 404) left.push(`${path}: ${status}`);
    }
    if (left.length) throw new Error(`These could not be deleted: ${left.join(', ')}`);
  }
}
