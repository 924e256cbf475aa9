import { Ajv, type JSONSchemaType } from 'ajv';
import { Unauthorized, Unavailable } from '../../../lib/errors/errors.js';
import type { OutboundResponse, SafeHttp } from '../../../lib/http/safe-http.js';

/** Owner of a token according to the code-hosting provider. */
export interface CodehostIdentity {
  /** ID of the account, which does not change with the login or addresses. */
  id: string;
  login: string;
  name?: string;
  /** Addresses verified by the provider; empty if the token cannot read them. */
  verifiedEmails: string[];
}

interface Account {
  id: number;
  login: string;
  name?: string | null;
}

interface Address {
  email: string;
  verified: boolean;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1024 * 1024;
/** Characters valid in a header. A provider never issues other tokens. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

const ajv = new Ajv();
const isAccount = ajv.compile<Account>({
  type: 'object',
  properties: {
    // Larger JSON numbers lose precision, so different accounts could be confused.
    id: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    login: { type: 'string', minLength: 1, maxLength: 255 },
    name: { type: 'string', nullable: true, maxLength: 1024 },
  },
  required: ['id', 'login'],
} satisfies JSONSchemaType<Account>);
const isAddressList = ajv.compile<Address[]>({
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    properties: { email: { type: 'string', minLength: 3, maxLength: 254 }, verified: { type: 'boolean' } },
    required: ['email', 'verified'],
  },
} satisfies JSONSchemaType<Address[]>);

/** Looks up the owner of an access token at a code-hosting provider with GitHub's user API. */
export class CodehostClient {
  private readonly apiUrl: string;

  /** `http` must be allowed to connect to `apiUrl` (such as `https://api.github.com`) if that is a private address. */
  constructor(
    apiUrl: string,
    private readonly http: SafeHttp,
  ) {
    this.apiUrl = apiUrl.replace(/\/+$/, '');
  }

  /**
   * Returns the account that the token belongs to. Throws `Unauthorized` if the provider rejects the token, and
   * `Unavailable` if it does not respond as documented within five seconds.
   */
  async identify(accessToken: string): Promise<CodehostIdentity> {
    if (!TOKEN.test(accessToken)) throw rejection();
    const [account, addresses] = await Promise.all([
      this.request(accessToken, '/user').then(readAccount),
      this.request(accessToken, '/user/emails?per_page=100').then(readAddresses),
    ]);
    return {
      id: String(account.id),
      login: account.login,
      ...(account.name && { name: account.name }),
      // The address of the account itself is unverified: its owner can enter any address.
      verifiedEmails: addresses.filter(({ verified }) => verified).map(({ email }) => email),
    };
  }

  private async request(accessToken: string, path: string): Promise<OutboundResponse> {
    const headers = {
      authorization: `Bearer ${accessToken}`,
      accept: 'application/vnd.github+json',
      'user-agent': 'fieldwright',
    };
    try {
      return await this.http.request({
        url: this.apiUrl + path,
        headers,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      });
    } catch {
      throw unavailable();
    }
  }
}

function readAccount({ status, body }: OutboundResponse): Account {
  if (status === 401 || status === 403) throw rejection();
  const account = status === 200 && parse(body);
  if (!isAccount(account)) throw unavailable();
  return account;
}

function readAddresses({ status, body }: OutboundResponse): Address[] {
  if (status === 401) throw rejection();
  // The token lacks the scope for reading addresses.
  if (status === 403 || status === 404) return [];
  const addresses = status === 200 && parse(body);
  if (!isAddressList(addresses)) throw unavailable();
  return addresses;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const rejection = (): Unauthorized => new Unauthorized('Code-hosting access token is not valid');
const unavailable = (): Unavailable => new Unavailable('The code-hosting provider does not respond');
