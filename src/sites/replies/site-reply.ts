/** Response of a site before the headers that all of its responses have, without its body. */
export interface SiteHead {
  readonly status: number;
  /** Names are in lower case; a list is sent as several headers. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** `Set-Cookie` headers without `Secure`. */
  readonly cookies?: readonly string[];
}

export interface SiteReply extends SiteHead {
  readonly body: string | Buffer;
}

/** Caches keep no response with this `Cache-Control`. */
export const NO_STORE = 'no-cache, no-store, must-revalidate';

/** Returns a reply of the platform itself, for those who read JSON. A version cannot let caches keep it. */
export const errorReply = (status: number, error: string, headers: SiteReply['headers'] = {}): SiteReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': NO_STORE, ...headers },
  body: JSON.stringify({ error }),
});
