/** The introduction of the document. */
export const DESCRIPTION = `The API of Fieldwright, the open, self-hosted platform for connected-device applications.

**Signing in.** \`POST /auth/user\` answers a token; send it with every request as \`Authorization: Bearer …\`. For programs,
make an API token with \`POST /me/tokens\`: it can be limited in what it may do and for how long.

**Scopes.** A token carries scopes, and each operation lists those it accepts under \`x-scopes\`. \`all.User\` may do
everything that you may, \`all.User.read\` may read it, \`applications.*\` may use one resource, \`applications.get\` one operation.

**Lists** are sorted by \`sortField\` and \`sortDirection\`, cut into pages by \`page\` (from 0) and \`perPage\` (1 to 1000), and
filtered by \`filterField\` and \`filter\`, in which \`*\` stands for any text and \`?\` for one character.

**Errors** are \`{"type": "…", "message": "…"}\`. Unknown properties in a body are refused; unknown query parameters are ignored.

**Times** are ISO 8601 in UTC with milliseconds. **Ids** are 24 hexadecimal digits.`;

/** What each group of operations is about, in the order that the document shows them. */
export const TAGS: readonly { name: string; description: string }[] = [
  { name: 'auth', description: 'Sign in, which takes no token.' },
  {
    name: 'me',
    description:
      'You: your profile, password and second factor, your invitations, what you looked at last, and moving what is yours.',
  },
  { name: 'userApiTokens', description: 'Your API tokens, for programs: list them, create one.' },
  { name: 'userApiToken', description: 'One of your API tokens: read, change or revoke it.' },
  {
    name: 'orgs',
    description: 'Organizations, in which users own applications together: list yours, create one.',
  },
  {
    name: 'org',
    description:
      'One organization: read, change or delete it, its members and invitations, and what it owns.',
  },
  {
    name: 'orgInvites',
    description: 'An invitation by the token in its mail: look at it, and answer it without signing in.',
  },
  { name: 'auditLogs', description: 'Who changed what in an organization: the list.' },
  { name: 'auditLog', description: 'One change in an organization, whole.' },
  {
    name: 'applications',
    description:
      'Applications, which hold devices, workflows and all that belongs to them: list them, create one.',
  },
  {
    name: 'application',
    description: 'One application: read, change or delete it, its globals and its readme.',
  },
  {
    name: 'applicationTemplates',
    description: 'A catalogue of applications that others are made from: find some, and what they are about.',
  },
  { name: 'applicationTemplate', description: 'One such template, whole.' },
  {
    name: 'applicationJobLogs',
    description: 'The long work that was asked for on an application, and how it goes: the list.',
  },
  { name: 'applicationJobLog', description: 'One job of them: read it, or follow it as a stream of events.' },
  {
    name: 'applicationApiTokens',
    description: 'Tokens that reach one application and nothing else: list them, create one.',
  },
  { name: 'applicationApiToken', description: 'One such token: read, change or revoke it.' },
  {
    name: 'flows',
    description: 'Workflows of an application: list them, create, import, and what they can be made of.',
  },
  {
    name: 'flow',
    description: 'One workflow: read, change or delete it, what it stores, and how its runs went.',
  },
  { name: 'flowVersions', description: 'Versions of a workflow: list them, create one, delete many.' },
  { name: 'flowVersion', description: 'One version: read or delete it, and how its runs went.' },
  { name: 'devices', description: 'Devices of an application: list them, create one.' },
  { name: 'device', description: 'One device: read, change or delete it.' },
  {
    name: 'edgeDeployments',
    description:
      'Workflows on edge compute devices: list what these run and are to run, release versions, replace and remove them.',
  },
  { name: 'edgeDeployment', description: 'One workflow on an edge compute device: read it.' },
  {
    name: 'embeddedDeployments',
    description:
      'Workflows on embedded devices: list what these run and are to run, release versions, replace and remove them.',
  },
  { name: 'embeddedDeployment', description: 'The workflows of one embedded device: read them.' },
  {
    name: 'deviceRecipes',
    description: 'What devices are made from, one or many at once: list recipes, create one.',
  },
  { name: 'deviceRecipe', description: 'One recipe: read, change or delete it, and make devices from it.' },
  { name: 'deviceAttributes', description: 'What a device reports: list its attributes, add one.' },
  { name: 'deviceAttribute', description: 'One attribute of a device: read, change or delete it.' },
  {
    name: 'data',
    description: 'What devices of an application reported: time series, last values.',
  },
  { name: 'dataTables', description: 'Tables with columns of your own: list them, create one.' },
  { name: 'dataTable', description: 'One data table: read, change or delete it, add and remove columns.' },
  {
    name: 'dataTableRows',
    description: 'The rows of a data table: insert, list, find, delete and export them.',
  },
  { name: 'dataTableRow', description: 'One row of a data table: read, change or delete it.' },
  {
    name: 'events',
    description: 'What happened in an application: list events, create one, change, delete or export many.',
  },
  { name: 'event', description: 'One event: read, update or delete it.' },
  { name: 'webhooks', description: 'Addresses whose requests trigger workflows: list them, create one.' },
  { name: 'webhook', description: 'One such address: read, change or delete it.' },
  {
    name: 'files',
    description: 'Files that anybody may read who has their address, in directories: list them, create one.',
  },
  { name: 'file', description: 'One file or directory: read, move or delete it, and replace its content.' },
  {
    name: 'privateFiles',
    description: 'Files that only those may read who are given a link: list them, create one.',
  },
  { name: 'privateFile', description: 'One private file or directory: read, move or delete it.' },
  {
    name: 'experienceDomains',
    description: 'Domains at which an experience is to be found: list them, create one.',
  },
  { name: 'experienceDomain', description: 'One such domain: read, change or delete it.' },
  {
    name: 'experienceSlugs',
    description: "Names of an experience below the platform's own domain: list them, create one.",
  },
  { name: 'experienceSlug', description: 'One such slug: read, change or delete it.' },
  {
    name: 'experience',
    description: 'An experience as a whole: make one to begin with, delete it or parts of it.',
  },
  {
    name: 'experienceViews',
    description: 'Templates of what an experience shows: list its views, create one.',
  },
  {
    name: 'experienceView',
    description: 'One view of an experience: read, change or delete it, and what it is linked with.',
  },
  {
    name: 'experienceVersions',
    description: 'An experience as it was frozen under names: list its versions, create one.',
  },
  {
    name: 'experienceVersion',
    description: 'One version of an experience: read, change or delete it.',
  },
  {
    name: 'experienceGroups',
    description: 'Groups of users of an experience, in a tree: list them, create one.',
  },
  { name: 'experienceGroup', description: 'One such group: read, change or delete it.' },
  {
    name: 'experienceUsers',
    description: 'Who uses the experience of an application: list them, create one.',
  },
  { name: 'experienceUser', description: 'One user of an experience: read, change or delete them.' },
  { name: 'applicationKeys', description: 'Keys with which devices sign in: list them, create one.' },
  { name: 'applicationKey', description: 'One such key: read, change or revoke it.' },
  {
    name: 'applicationCertificates',
    description: 'Certificates with which devices sign in: list them, register one.',
  },
  { name: 'applicationCertificate', description: 'One such certificate: read, change or delete it.' },
  {
    name: 'applicationCertificateAuthorities',
    description: 'Who signs certificates of devices: list authorities, register one.',
  },
  {
    name: 'applicationCertificateAuthority',
    description: 'One such authority: read, change or delete it.',
  },
  {
    name: 'experienceEndpoints',
    description: 'Addresses of an experience: list them, create one, see how often they were asked.',
  },
  {
    name: 'experienceEndpoint',
    description: 'One such address: read, change or delete it, and see what it hangs together with.',
  },
  {
    name: 'credentials',
    description: 'What workflows sign in to other services with: list them, create one.',
  },
  {
    name: 'credential',
    description: 'One such credential: read, change or delete it, and see what names it.',
  },
  {
    name: 'instanceCustomNodes',
    description: 'Nodes that all applications of an instance can use: list them, create one.',
  },
  {
    name: 'instanceCustomNode',
    description: 'One such node: read, change or delete it, and how its runs went.',
  },
  { name: 'instances', description: 'Instances that you run, or may look at: list them.' },
  { name: 'instance', description: 'One instance: read or change it.' },
  { name: 'instanceMembers', description: 'Who runs an instance: list them, add one.' },
  { name: 'instanceMember', description: 'One of them: read, change or remove them.' },
  { name: 'instanceOrgs', description: 'All organizations of an instance: list them, create one.' },
  { name: 'instanceOrg', description: 'One organization of an instance: read, change or delete it.' },
  {
    name: 'instanceOrgMembers',
    description: 'Members of an organization, for those who run the instance: list them, add one.',
  },
  { name: 'instanceOrgMember', description: 'One of them: read, change or remove them.' },
  {
    name: 'instanceOrgInvites',
    description:
      'Invitations to an organization, for those who run the instance: list them, invite somebody.',
  },
  { name: 'instanceOrgInvite', description: 'One of them: read it, send it again or take it back.' },
  {
    name: 'instanceSandboxes',
    description: 'Users of an instance, with what their sandboxes hold: list them.',
  },
  {
    name: 'instanceSandbox',
    description: 'One user of an instance: read or delete them, or take that back.',
  },
  {
    name: 'instanceApiTokens',
    description: 'Tokens that reach an instance and its organizations: list them, create one.',
  },
  { name: 'instanceApiToken', description: 'One such token: read, change or revoke it.' },
  { name: 'instanceAuditLogs', description: 'Who changed what in an instance: the list.' },
  { name: 'instanceAuditLog', description: 'One change in an instance, whole.' },
];
