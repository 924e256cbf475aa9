/** What of what somebody asked for a fault lies in. */
export type GitPlace = 'access' | 'branch' | 'directory';

/** A repository that cannot be used as it was asked for. The message goes on after the name of the field of its place. */
export class GitFault extends Error {
  constructor(
    readonly place: GitPlace,
    message: string,
  ) {
    super(message);
  }
}
