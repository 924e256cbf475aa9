import { Ajv, type JSONSchemaType } from 'ajv';
import { Unauthorized, Unavailable } from '../../../lib/errors/errors.js';
import type { OutboundResponse, SafeHttp } from '../../../lib/http/safe-http.js';

/** Who the code-hosting provider says that a token belongs to. */
export interface CodehostIdentity {
  /** The account's id: it stays when login and addresses change. */
  id: string;
  login: string;
  name?: string;
  /** Addresses that the provider has verified; empty where the token may not see them. */
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
/** What a header can carry; anything else was never issued as a token. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

const ajv = new Ajv();
const isAccount = ajv.compile<Account>({
  type: 'object',
  properties: {
    // Beyond this, numbers in JSON run into each other, and so would accounts.
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

/** Asks a code-hosting provider with GitHub's user API whose access token it is. */
export class CodehostClient {
  private readonly apiUrl: string;

  /** `http` must be allowed to reach `apiUrl` (such as `https://api.github.com`) where that is a private address. */
  constructor(
    apiUrl: string,
    private readonly http: SafeHttp,
  ) {
    this.apiUrl = apiUrl.replace(/\/+$/, '');
  }

  /**
   * The account that the token belongs to. Rejects with `Unauthorized` when the provider does not take the token, and
   * with `Unavailable` after at most five seconds when it does not answer as its API describes.
   */
  async identify(accessToken: string): Promise<CodehostIdentity> {
    if (!TOKEN.test(accessToken)) throw refusal();
    const [account, addresses] = await Promise.all([
      this.ask(accessToken, '/user').then(readAccount),
      this.ask(accessToken, '/user/emails?per_page=100').then(readAddresses),
    ]);
    return {
      id: String(account.id),
      login: account.login,
      ...(account.name && { name: account.name }),
      // The address of the account itself is no proof: its owner may have typed in anyone's.
      verifiedEmails: addresses.filter(({ verified }) => verified).map(({ email }) => email),
    };
  }

  private async ask(accessToken: string, path: string): Promise<OutboundResponse> {
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
      throw silence();
    }
  }
}

function readAccount({ status, body }: OutboundResponse): Account {
  if (status === 401 || status === 403) throw refusal();
  const account = status === 200 && parse(body);
  if (!isAccount(account)) throw silence();
  return account;
}

function readAddresses({ status, body }: OutboundResponse): Address[] {
  if (status === 401) throw refusal();
  // The token's scopes do not include the addresses.
  if (status === 403 || status === 404) return [];
  const addresses = status === 200 && parse(body);
  if (!isAddressList(addresses)) throw silence();
  return addresses;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

const refusal = (): Unauthorized => new Unauthorized('Code-hosting access token is not valid');
const silence = (): Unavailable => new Unavailable('The code-hosting provider does not answer');
