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
  { name: 'auth', description: 'Sign in: the only operations that take no token.' },
  { name: 'me', description: 'You: your profile, password and second factor.' },
  { name: 'userApiTokens', description: 'Your API tokens, for programs: list them, create one.' },
  { name: 'userApiToken', description: 'One of your API tokens: read, change or revoke it.' },
  {
    name: 'orgs',
    description: 'Organizations, in which users own applications together: list yours, create one.',
  },
  { name: 'org', description: 'One organization: read, change or delete it.' },
  {
    name: 'applications',
    description:
      'Applications, which hold devices, workflows and all that belongs to them: list them, create one.',
  },
  {
    name: 'application',
    description: 'One application: read, change or delete it, its globals and its readme.',
  },
];
