import fc from 'fast-check';
import pg from 'pg';
import { TestCaller, identity, ME } from '../../../test/suites/principals.js';
import { databaseForWorker } from '../../../test/setup/databases.js';
import { ROLES, type Role } from '../operations/operation.js';
import {
  membershipSql,
  membershipsSql,
  parseMembership,
  parseMemberships,
  type Membership,
} from './memberships.js';
import { atLeast } from './principal.js';
import type { OwnedApplication, RoleCap, Subject } from './principal-data.js';
import { applicationReach, applicationsReach, organizationReach, organizationsReach } from './reach.js';

const ORGS = ['o1', 'o2', 'o3'];
const OWNERS = [ME, 'somebody', ...ORGS];
const APPLICATIONS: OwnedApplication[] = OWNERS.flatMap((ownerId) =>
  ['a', 'b', 'c'].map((name) => ({ id: `${ownerId}-${name}`, ownerId })),
);
/** Application of the tokens that belong to an application or a device. */
const INSIDE = APPLICATIONS.find(({ id }) => id === 'o1-a')!;
const WANTED = ROLES.slice(1);
const MFA_MODES = [null, 'notRequired', 'adminRequired', 'required'];

const role = fc.constantFrom(...ROLES);
const flag = fc.boolean();
/** May contain two grants for the same application, in which case the first applies. */
const grants = fc.array(
  fc.record({
    resourceId: fc.constantFrom(...APPLICATIONS.map(({ id }) => id)),
    role: fc.constantFrom<Role>('none', 'view', 'collaborate'),
  }),
  { maxLength: 6 },
);
const rarely = fc.integer({ min: 0, max: 4 }).map((n) => n === 0);
const organization = fc.record({
  isReadOnly: rarely,
  disabled: fc.constantFrom('no', 'no', 'since', 'soon'),
  isDeleted: rarely,
  mfaMode: fc.constantFrom(...MFA_MODES),
  membership: fc.option(fc.record({ role, applicationRoles: grants }), { freq: 4 }),
});
const cap: fc.Arbitrary<RoleCap> = fc.record(
  {
    defaultRole: role,
    orgRoles: fc.array(
      fc.record(
        { orgId: fc.constantFrom(...ORGS, 'sandbox', ME, 'elsewhere'), role, applicationRoles: grants },
        { requiredKeys: ['orgId', 'role'] },
      ),
      { maxLength: 4 },
    ),
  },
  { requiredKeys: ['orgRoles'] },
);
const subject = fc.constantFrom<Subject>(
  ...Array<Subject>(8).fill({ type: 'user', id: ME }),
  { type: 'application', id: INSIDE.id },
  { type: 'device', id: 'device' },
  { type: 'instance', id: 'somewhere' },
);
const world = fc.record({
  organizations: fc.tuple(organization, organization, organization),
  hasSecondFactor: flag,
  isSsoLinked: rarely,
  cap: fc.option(cap, { nil: undefined }),
  subject,
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** Computes the memberships from the rows, independently of the code under test. */
function membershipsIn({ organizations, hasSecondFactor, isSsoLinked }: World): Membership[] {
  return organizations.flatMap(({ membership, isReadOnly, disabled, isDeleted, mfaMode }, i) => {
    if (!membership || isDeleted) return [];
    const isAsked = mfaMode === 'required' || (mfaMode === 'adminRequired' && membership.role === 'admin');
    return {
      ...membership,
      orgId: ORGS[i]!,
      applicationLimit: null,
      frozen: isReadOnly || disabled === 'since',
      locked: isAsked && !hasSecondFactor && !isSsoLinked,
    };
  });
}

describe('Reach conditions in PostgreSQL', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client(await databaseForWorker());
    await client.connect();
    await client.query(
      `CREATE TEMPORARY TABLE users AS SELECT id, two_factor_key, sso_linked FROM public.users WITH NO DATA;
       CREATE TEMPORARY TABLE orgs AS SELECT id, is_read_only, disabled_at, deleted_at, mfa_mode, limits FROM public.orgs WITH NO DATA;
       CREATE TEMPORARY TABLE org_members AS SELECT org_id, user_id, role, application_roles FROM public.org_members WITH NO DATA;
       CREATE TEMPORARY TABLE applications AS SELECT id, owner_id FROM public.applications WITH NO DATA`,
    );
    await fill(
      'applications',
      APPLICATIONS.map(({ id, ownerId }) => ({ id, owner_id: ownerId })),
    );
  });
  afterAll(() => client.end());

  async function fill(table: string, rows: readonly object[]): Promise<void> {
    await client.query(`TRUNCATE ${table}`);
    const text = `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(null::${table}, $1)`;
    await client.query(text, [JSON.stringify(rows)]);
  }

  async function make({ organizations, hasSecondFactor, isSsoLinked }: World): Promise<void> {
    const past = new Date(Date.now() - 60_000);
    const days = { no: null, since: past, soon: new Date(Date.now() + 3600_000) };
    const somebody = { id: 'somebody', two_factor_key: 'key', sso_linked: false };
    await fill('users', [
      { id: ME, two_factor_key: hasSecondFactor ? 'key' : null, sso_linked: isSsoLinked },
      somebody,
    ]);
    await fill(
      'orgs',
      organizations.map(({ isReadOnly, disabled, isDeleted, mfaMode }, i) => ({
        id: ORGS[i],
        is_read_only: isReadOnly,
        disabled_at: days[disabled],
        deleted_at: isDeleted ? past : null,
        mfa_mode: mfaMode,
      })),
    );
    await fill('org_members', [
      // An admin of every organization, whose memberships must not leak to other users.
      ...ORGS.map((id) => ({ org_id: id, user_id: somebody.id, role: 'admin', application_roles: [] })),
      ...organizations.flatMap(({ membership }, i) =>
        membership
          ? {
              org_id: ORGS[i],
              user_id: ME,
              role: membership.role,
              application_roles: membership.applicationRoles,
            }
          : [],
      ),
    ]);
  }

  /** Returns the IDs of the rows that match each condition, using a single statement. */
  async function idsWhere(conditions: readonly [table: string, condition: string][], values: unknown[]) {
    const columns = conditions.map(
      ([table, condition]) => `ARRAY(SELECT t.id FROM ${table} t WHERE ${condition} ORDER BY t.id)`,
    );
    const { rows } = await client.query<string[][]>({
      text: `SELECT ${columns.join(', ')}`,
      values,
      rowMode: 'array',
    });
    return rows[0]!;
  }

  it('reads memberships that match the rows', async () => {
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        await make(given);
        const expected = membershipsIn(given);
        const single = ORGS.map((orgId) => membershipSql('$1', `'${orgId}'`));
        const { rows } = await client.query<string[]>({
          text: `SELECT ${membershipsSql('$1')}::text, ${single.map((sql) => `${sql}::text`).join(', ')}`,
          values: [ME],
          rowMode: 'array',
        });
        const [all, ...each] = rows[0]!;
        expect(parseMemberships(all!)).toEqual(expect.arrayContaining(expected));
        expect(parseMemberships(all!)).toHaveLength(expected.length);
        expect(each.map(parseMembership)).toEqual(
          ORGS.map((id) => expected.find(({ orgId }) => orgId === id)),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('selects the applications and organizations that Principal allows', async () => {
    let telling = 0;
    await fc.assert(
      fc.asyncProperty(world, async (given) => {
        await make(given);
        const memberships = given.subject.type === 'user' ? membershipsIn(given) : [];
        const isInside = given.subject.type === 'application' || given.subject.type === 'device';
        const application = { ...INSIDE, frozen: given.organizations[0].isReadOnly };
        const asking = new TestCaller(
          identity({
            subject: given.subject,
            isMember: given.subject.type === 'user',
            cap: given.cap,
            ...(isInside ? { application } : {}),
          }),
          memberships,
        );
        const { principal } = asking;
        const values: unknown[] = [];
        const conditions: [string, string][] = [];
        const expected: string[][] = [];
        const check = (table: string, condition: string, ids: string[]) => {
          conditions.push([table, condition]);
          expected.push(ids);
        };
        for (const wanted of WANTED) {
          const seen = APPLICATIONS.filter((each) => atLeast(asking.roleOn(each), wanted));
          const ids = seen.map(({ id }) => id).sort();
          if (ids.length > 0 && ids.length < APPLICATIONS.length) telling++;
          check('applications', applicationReach(principal, wanted, values), ids);
          check('applications', applicationsReach(principal, wanted, asking.reach(wanted), values), ids);
          if (principal.isMember)
            check('applications', applicationsReach(principal, wanted, 'many', values), ids);
          for (const owner of OWNERS) {
            const there = memberships.filter(({ orgId }) => orgId === owner);
            const reach = principal.reach(wanted, there, owner);
            const condition = applicationsReach(principal, wanted, reach, values);
            const owned = seen.filter(({ ownerId }) => ownerId === owner).map(({ id }) => id);
            check('applications', condition, owned.sort());
          }
          const organizations = ORGS.filter((id) => atLeast(asking.roleInOrganization(id), wanted));
          check('orgs', organizationReach(principal, wanted, values), organizations);
          check('orgs', organizationsReach(principal, wanted, values), organizations);
        }
        expect(await idsWhere(conditions, values)).toEqual(expected);
      }),
      { numRuns: 400 },
    );
    expect(telling).toBeGreaterThan(400);
  });
});
