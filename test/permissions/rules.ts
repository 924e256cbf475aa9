import type { Role } from '../../src/platform/operation.js';

/** What a path can name that rights hang on. An organization below its instance is a matter of the instance's roles. */
export type Place = 'application' | 'organization' | 'instance' | 'instanceOrganization' | 'sandbox';

/** The role that an operation needs, and on what. */
export interface Rule {
  /** Absent where the caller's own account is the place. */
  place?: Place;
  role: Role;
  /** An API token may not; the message says why. */
  inPerson?: string;
  /** Nor may a token whose roles are capped in single organizations. */
  uncapped?: string;
  /** Nor may a token whose role in what is new is capped. */
  uncappedAnew?: string;
  /** What is answered in place of 404 where the place is named by the body: the message of 400. */
  unseen?: string;
  /** It changes nothing: a GET, or another that says in its body what is read. */
  reads?: boolean;
  /** Not only users: others are shown what they reach, if it is nothing. */
  anyone?: boolean;
  /** What its path names belongs to nobody, so there is no other's. */
  shared?: boolean;
}

// The rules of the roles, as the platform's semantics have them: `view` looks; `collaborate` changes applications and
// what is in them; `edit` also makes and deletes applications, and has their tokens; `admin` also has settings, members,
// invitations, transfer and the log of the organization. An instance's `view` looks and its `admin` changes.

interface Named extends Partial<Rule> {
  because: string;
}

const CAPPED =
  'A token with roles capped in single organizations cannot make or change tokens of an instance';
const READS: Named = { role: 'view', reads: true, because: 'its body says what is read' };
};
const ARCHIVES: Named = {
  role: 'collaborate',
  reads: false,
  because: 'it has something written to a store, though it is a GET',
