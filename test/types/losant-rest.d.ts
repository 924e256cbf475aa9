/** The published client: resources with their actions, and generic requests. */
declare module 'losant-rest' {
  type Action = (parameters?: object) => Promise<any>;
  type Client = Record<string, Record<string, Action>> & {
    request(asked: { method: string; url: string }): Promise<any>;
  };

  const published: { createClient(options: { url: string; accessToken?: string }): Client };
  export default published;
}
