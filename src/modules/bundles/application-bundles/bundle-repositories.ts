import { Inject, Injectable } from '@nestjs/common';
import { join } from 'node:path';
import { Config } from '../../../config/config.js';
import type { WorkOrder } from '../../../lib/processes/work-queue.js';
import { BundleWork } from '../../../platform/bundles/bundle-work.js';
import { ValidationError } from '../../../lib/errors/errors.js';
import { GitFault, type GitFaultField } from '../../../lib/git/git-fault.js';
import { GitRemote, isBranchName, type GitAccess } from '../../../lib/git/git-remote.js';
import type { SafeHttp } from '../../../lib/http/safe-http.js';
import { CredentialsService } from '../../integrations/credentials/credentials.service.js';

/** HTTP client for repository URLs that callers provide. */
export const REPOSITORY_HTTP = Symbol('repository http');

/** Credential, branch and directory of a repository. */
export interface RepositoryRequest {
  credentialName: string;
  branch?: string;
  directory?: string;
}

/** Repository with validated access. */
export interface OpenRepository {
  remote: GitRemote;
  url: string;
  directory: readonly string[];
  committer: { name: string; email: string };
}

/** Repository properties of a request body, before validation. */
interface RepositoryBody {
  credentialName?: string;
  repo?: { branch?: string; directory?: string };
}

const FIELDS: Readonly<Record<GitFaultField, string>> = {
  access: 'credentialName',
  branch: 'repo.branch',
  directory: 'repo.directory',
};
const MAX_PATH_LENGTH = 1_024;
const MAX_DEPTH = 100;
const SEGMENT = /^(?!\.{1,2}$|\.git$)[^\p{Cc}\\]+$/iu;

/** Opens the repositories of service credentials. */
@Injectable()
export class BundleRepositories {
  constructor(
    private readonly credentials: CredentialsService,
    @Inject(REPOSITORY_HTTP) private readonly http: SafeHttp,
    private readonly config: Config,
    private readonly work: BundleWork,
  ) {}

  /**
   * Validates the repository of a request without connecting to it. Returns `400` if it cannot be used; `at` prefixes
   * the field name in the message.
   */
  async validate(
    applicationId: string,
    { credentialName, repo = {} }: RepositoryBody,
    at: string,
  ): Promise<RepositoryRequest> {
    if (!credentialName) throw new ValidationError(`${at}.credentialName is required`);
    const asked = {
      credentialName,
      branch: repo.branch || undefined,
      directory: repo.directory || undefined,
    };
    await this.open(applicationId, asked, at, new AbortController().signal);
    return asked;
  }

  /** Opens the repository. Throws `400` with the name of the invalid field. */
  async open(
    applicationId: string,
    { credentialName, branch, directory }: RepositoryRequest,
    at: string,
    signal: AbortSignal,
  ): Promise<OpenRepository> {
    const field = `${at}.credentialName`;
    const credential = await this.credentials.opened(applicationId, credentialName);
    if (!credential) throw new ValidationError(`${field} does not match a credential of the application`);
    if (!credential.enabled) throw new ValidationError(`${field} refers to a disabled credential`);
    if (credential.type !== 'git')
      throw new ValidationError(`${field} must refer to a credential of type git`);
    const members = credential.members as Partial<Record<string, string>>;
    if (members.type !== 'http-password')
      throw new ValidationError(
        `${field} must refer to a credential of type http-password: SSH is not supported`,
      );
    if (branch !== undefined && !isBranchName(branch))
      throw new ValidationError(`${at}.repo.branch is not a valid branch name`);
    const { cloneUrl: url = '', username = 'git', secretValue: password } = members;
    if (!this.http.permits(url))
      throw new ValidationError(`${field} must refer to a credential with an https URL of a public server`);
    const access: GitAccess = { url, username, password };
    const { committerName, committerEmail } = members;
    return {
      remote: new GitRemote(this.http, access, signal),
      url,
      directory: segmentsOf(directory, at),
      committer: { name: committerName || 'Fieldwright', email: committerEmail || this.config.MAIL_FROM },
    };
  }

  /** Writes the contents of a repository directory to a zip file. Throws `400` with the name of the invalid field. */
  async checkOut(
    applicationId: string,
    asked: RepositoryRequest,
    at: string,
    { folder, file, ...order }: WorkOrder & { signal: AbortSignal; folder: string; file: string },
  ): Promise<void> {
    const { remote, directory } = await this.open(applicationId, asked, at, order.signal);
    await naming(at, async () => {
      const { branches, defaultBranch } = await remote.advertised();
      const branch = asked.branch ?? defaultBranch;
      const commit = branch === undefined ? undefined : branches.get(branch);
      if (!commit) throw new GitFault('branch', 'does not exist in the repository');
      const pack = join(folder, 'fetched.pack');
      await remote.fetch(commit, pack, true);
      await this.work.checkOut({ pack, commit, directory, zip: file }, order);
    });
  }
}

/** Calls `work` and converts Git errors to `400` with the name of the invalid field. */
export async function naming<T>(at: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GitFault) throw new ValidationError(`${at}.${FIELDS[error.place]} ${error.message}`);
    throw error;
  }
}

function segmentsOf(directory = '', at: string): string[] {
  const segments = directory
    .normalize('NFC')
    .split('/')
    .filter((segment) => segment !== '');
  const isPath = segments.length <= MAX_DEPTH && Buffer.byteLength(directory) <= MAX_PATH_LENGTH;
  if (!isPath || !segments.every((segment) => SEGMENT.test(segment)))
    throw new ValidationError(`${at}.repo.directory must consist of names separated by /`);
  return segments;
}
