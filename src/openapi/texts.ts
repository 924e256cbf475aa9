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

**Jobs.** Work that outlives a request is accepted with \`202\` and a \`jobId\`. \`GET /applications/{applicationId}/jobLogs/{jobId}\`
returns its progress. If a \`callbackUrl\` was given, the end of the job is posted there with a signature; the operation documents
the request under \`callbacks\`, and \`x-webhooks\` documents all of them.

**Event streams** are \`text/event-stream\`. The schema of the response is that of the \`data\` of an event, and \`x-events\` names
the events. A stream ends when its token expires; clients reconnect with \`Last-Event-ID\`.

**Times** are ISO 8601 in UTC with milliseconds. **IDs** have 24 hexadecimal digits.`;
