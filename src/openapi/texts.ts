/** Introduction of the API document. */
export const DESCRIPTION = `The API of Fieldwright, the open, self-hosted platform for connected-device applications.

**Authentication.** \`POST /auth/user\` returns a session token. Send it with every request as \`Authorization: Bearer …\`.
For programs, create an API token with \`POST /me/tokens\`; its scopes and lifetime can be restricted.

**Scopes.** A token has scopes, and each operation lists the scopes it accepts under \`x-scopes\`. \`all.User\` permits
everything that the user is allowed to do, \`all.User.read\` permits reading. \`applications.*\` permits all operations of a resource,
\`applications.get\` a single operation.

**Lists** are sorted by \`sortField\` and \`sortDirection\`, paginated by \`page\` (from 0) and \`perPage\` (1 to 1000), and
filtered by \`filterField\` and \`filter\`. In \`filter\`, \`*\` matches any text and \`?\` matches one character.

**Errors** have the form \`{"type": "…", "message": "…"}\`. Unknown properties in a body are rejected; unknown query
parameters are ignored.

**Times** are ISO 8601 in UTC with milliseconds. **IDs** have 24 hexadecimal digits.`;

/** Operation groups with their descriptions, in the order of the document. */
export const TAGS: readonly { name: string; description: string }[] = [
  { name: 'auth', description: 'Sign in; no token required.' },
  {
    name: 'me',
    description:
      'Your account: profile, password, second factor, invitations, recent items and transfers of your resources.',
  },
  { name: 'userApiTokens', description: 'List and create your API tokens for programs.' },
  { name: 'userApiToken', description: 'Read, update and revoke one of your API tokens.' },
  {
    name: 'orgs',
    description: 'List and create organizations, in which users own applications together.',
  },
  {
    name: 'org',
    description: 'Read, update and delete an organization; manage its members, invitations and resources.',
  },
  {
    name: 'orgInvites',
    description: 'View an invitation and respond to it with the token from its email, without signing in.',
  },
  { name: 'auditLogs', description: 'List the changes made in an organization.' },
  { name: 'auditLog', description: 'Read an audit log entry of an organization.' },
  {
    name: 'applications',
    description: 'List and create applications, which contain devices, workflows and all related resources.',
  },
  {
    name: 'application',
    description: 'Read, update and delete an application, its globals and its readme.',
  },
  {
    name: 'applicationTemplates',
    description: 'Browse and search the catalog of templates from which applications can be created.',
  },
  { name: 'applicationTemplate', description: 'Read an application template.' },
  {
    name: 'applicationJobLogs',
    description: 'List the long-running jobs of an application and their progress.',
  },
  { name: 'applicationJobLog', description: 'Read a job, or follow its progress as an event stream.' },
  {
    name: 'applicationApiTokens',
    description: 'List and create API tokens that are restricted to one application.',
  },
  { name: 'applicationApiToken', description: 'Read, update and revoke an API token of an application.' },
  {
    name: 'flows',
    description: 'List, create and import workflows of an application, and list the available nodes.',
  },
  {
    name: 'flow',
    description: 'Read, update and delete a workflow, its stored values and the statistics of its runs.',
  },
  { name: 'flowVersions', description: 'List, create and delete versions of a workflow.' },
  {
    name: 'flowVersion',
    description: 'Read and delete a workflow version, and read the statistics of its runs.',
  },
  { name: 'devices', description: 'List and create devices of an application.' },
  { name: 'device', description: 'Read, update and delete a device.' },
  {
    name: 'edgeDeployments',
    description:
      'Manage workflows on edge compute devices: list current and desired versions, release, replace and remove versions.',
  },
  { name: 'edgeDeployment', description: 'Read the deployment of a workflow on an edge compute device.' },
  {
    name: 'embeddedDeployments',
    description:
      'Manage workflows on embedded devices: list current and desired versions, release, replace and remove versions.',
  },
  { name: 'embeddedDeployment', description: 'Read the deployed workflows of an embedded device.' },
  {
    name: 'deviceRecipes',
    description: 'List and create device recipes, from which one or many devices are created.',
  },
  {
    name: 'deviceRecipe',
    description: 'Read, update and delete a device recipe, and create devices from it.',
  },
  { name: 'deviceAttributes', description: 'List and create the attributes that a device reports.' },
  { name: 'deviceAttribute', description: 'Read, update and delete an attribute of a device.' },
  {
    name: 'data',
    description: 'Query the reported data of devices of an application as time series or last values.',
  },
  { name: 'dataTables', description: 'List and create data tables with custom columns.' },
  { name: 'dataTable', description: 'Read, update and delete a data table; add and remove columns.' },
  {
    name: 'dataTableRows',
    description: 'Insert, list, query, delete and export rows of a data table.',
  },
  { name: 'dataTableRow', description: 'Read, update and delete a row of a data table.' },
  {
    name: 'events',
    description: 'List, create, update, delete and export the events of an application.',
  },
  { name: 'event', description: 'Read, update and delete an event.' },
  { name: 'webhooks', description: 'List and create webhooks, URLs whose requests trigger workflows.' },
  { name: 'webhook', description: 'Read, update and delete a webhook.' },
  {
    name: 'files',
    description: 'List and create directories and public files, which anyone with the URL can read.',
  },
  {
    name: 'file',
    description: 'Read, move and delete a file or directory, and replace the content of a file.',
  },
  {
    name: 'privateFiles',
    description: 'List and create private files, which are accessible only through a signed link.',
  },
  { name: 'privateFile', description: 'Read, move and delete a private file or directory.' },
  {
    name: 'experienceDomains',
    description: 'List and create the custom domains of an experience.',
  },
  { name: 'experienceDomain', description: 'Read, update and delete a domain of an experience.' },
  {
    name: 'experienceSlugs',
    description: 'List and create slugs, the names of an experience below the domain of the platform.',
  },
  { name: 'experienceSlug', description: 'Read, update and delete a slug of an experience.' },
  {
    name: 'experience',
    description: 'Bootstrap an experience, or delete all or parts of it.',
  },
  {
    name: 'experienceViews',
    description: 'List and create views, the templates from which the pages of an experience are rendered.',
  },
  {
    name: 'experienceView',
    description: 'Read, update and delete a view of an experience, and list its links to other resources.',
  },
  {
    name: 'experienceVersions',
    description: 'List and create versions, named snapshots of an experience.',
  },
  {
    name: 'experienceVersion',
    description: 'Read, update and delete a version of an experience.',
  },
  {
    name: 'experienceGroups',
    description: 'List and create experience groups, which form a tree.',
  },
  { name: 'experienceGroup', description: 'Read, update and delete an experience group.' },
  {
    name: 'experienceUsers',
    description: 'List and create the users of an experience.',
  },
  { name: 'experienceUser', description: 'Read, update and delete an experience user.' },
  { name: 'applicationKeys', description: 'List and create access keys, with which devices authenticate.' },
  { name: 'applicationKey', description: 'Read, update and revoke an access key.' },
  {
    name: 'applicationCertificates',
    description: 'List and register certificates, with which devices authenticate.',
  },
  { name: 'applicationCertificate', description: 'Read, update and delete a device certificate.' },
  {
    name: 'applicationCertificateAuthorities',
    description: 'List and register certificate authorities, which sign device certificates.',
  },
  {
    name: 'applicationCertificateAuthority',
    description: 'Read, update and delete a certificate authority.',
  },
  {
    name: 'experienceEndpoints',
    description: 'List and create the endpoints of an experience, and read their request statistics.',
  },
  {
    name: 'experienceEndpoint',
    description: 'Read, update and delete an endpoint, and list its links to other resources.',
  },
  {
    name: 'credentials',
    description: 'List and create credentials, with which workflows sign in to other services.',
  },
  {
    name: 'credential',
    description: 'Read, update and delete a credential, and list the resources that use it.',
  },
  {
    name: 'instanceCustomNodes',
    description: 'List and create custom nodes for all applications of an instance.',
  },
  {
    name: 'instanceCustomNode',
    description: 'Read, update and delete a custom node, and read the statistics of its runs.',
  },
  { name: 'instances', description: 'List the instances that you administer or can read.' },
  { name: 'instance', description: 'Read and update an instance.' },
  { name: 'instanceMembers', description: 'List and add members of an instance.' },
  { name: 'instanceMember', description: 'Read, update and remove a member of an instance.' },
  { name: 'instanceOrgs', description: 'List and create organizations of an instance.' },
  { name: 'instanceOrg', description: 'Read, update and delete an organization of an instance.' },
  {
    name: 'instanceOrgMembers',
    description: 'List and add members of an organization as a member of the instance.',
  },
  {
    name: 'instanceOrgMember',
    description: 'Read, update and remove a member of an organization as a member of the instance.',
  },
  {
    name: 'instanceOrgInvites',
    description: 'List and create invitations to an organization as a member of the instance.',
  },
  { name: 'instanceOrgInvite', description: 'Read, resend and revoke an invitation.' },
  {
    name: 'instanceSandboxes',
    description: 'List the users of an instance with the contents of their sandboxes.',
  },
  {
    name: 'instanceSandbox',
    description: 'Read and delete a user of an instance, or undo the deletion.',
  },
  {
    name: 'instanceApiTokens',
    description: 'List and create API tokens for an instance and its organizations.',
  },
  { name: 'instanceApiToken', description: 'Read, update and revoke an API token of an instance.' },
  { name: 'instanceAuditLogs', description: 'List the changes made in an instance.' },
  { name: 'instanceAuditLog', description: 'Read an audit log entry of an instance.' },
];
