/** Part of the request that a fault concerns. */
export type GitFaultField = 'access' | 'branch' | 'directory';

/** A repository that cannot be used as requested. The message continues after the field name of its place. */
export class GitFault extends Error {
  constructor(
    readonly place: GitFaultField,
    message: string,
  ) {
    super(message);
  }
}
