/** The published client: resources, with their actions, and requests of any kind. */
declare module 'losant-rest' {
  type Action = (parameters?: object) => Promise<any>;
  type Client = Record<string, Record<string, Action>> & {
    request(asked: { method: string; url: string }): Promise<any>;
  };

  const published: { createClient(options: { url: string; accessToken?: string }): Client };
  export default published;
}
