/** A view of the example experience. Pages use its layout. */
export interface DemoView {
  viewType: 'layout' | 'page' | 'component';
  name: string;
  description: string;
  body: string;
}

/** An endpoint of the example experience. A reply is the name of a page or a redirect target. */
export interface DemoEndpoint {
  method: 'get' | 'post';
  route: string;
  description: string;
  /** `members` restricts access to authenticated users, or to users of the group if one is created. */
  access: 'public' | 'members';
  staticReply?: DemoReply;
  unauthorizedReply?: DemoReply;
}

export type DemoReply = { page: string } | { redirect: string };

/** All resources of the example experience. */
export interface DemoExperience {
  views: readonly DemoView[];
  endpoints: readonly DemoEndpoint[];
  /** Name of the page for requests that no endpoint matches. */
  errorPage: string;
  group: { name: string; description: string };
  user: { email: string; firstName: string; lastName: string };
}

const LAYOUT = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{{pageData.title}} · {{application.name}}</title>
    <style>
      body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: #1d2b2a; background: #f4f6f5; }
      header { display: flex; gap: 1rem; padding: 0.75rem 1.5rem; color: #fff; background: #1f5f5b; }
      header a { color: inherit; }
      main { max-width: 48rem; margin: 2rem auto; padding: 0 1.5rem; }
      label { display: block; margin: 0.75rem 0; }
      input { display: block; width: 100%; padding: 0.5rem; box-sizing: border-box; font: inherit; }
      button { padding: 0.5rem 1.25rem; font: inherit; }
    </style>
  </head>
  <body>
    <header>{{component "MENU"}}</header>
    <main>{{page}}</main>
  </body>
</html>
`;

const MENU = `<strong>{{application.name}}</strong>
<a href="HOME">Home</a>
{{#if experience.user}}
  <span>{{experience.user.firstName}}</span>
  <a href="LOGOUT">Sign out</a>
{{else}}
  <a href="LOGIN">Sign in</a>
{{/if}}
`;

const HOME = `<h1>Welcome{{#if experience.user}}, {{experience.user.firstName}}{{/if}}</h1>
<p>Only signed-in users can see this page. Use it to show the status of their devices and the alerts that need attention.</p>
{{#if pageData.devices}}
  <ul>
    {{#each pageData.devices}}
      <li>{{name}}</li>
    {{/each}}
  </ul>
{{/if}}
`;

const LOGIN = `<h1>Sign in</h1>
{{#if pageData.error}}<p role="alert">{{pageData.error}}</p>{{/if}}
<form method="post" action="LOGIN">
  <label>Address <input type="email" name="email" autocomplete="username" required></label>
  <label>Password <input type="password" name="password" autocomplete="current-password" required></label>
  <button>Sign in</button>
</form>
`;

const ERROR = `<h1>Page not found</h1>
<p>The address may be wrong, or the page may have been removed. <a href="HOME">Go to the home page</a>.</p>
`;

/** Returns the example experience with names and routes that end with `suffix`. */
export function demoExperience(suffix: string): DemoExperience {
  const named = (name: string) => `${name}${suffix}`;
  const paths = { HOME: `/${suffix.replace(/^-/, '')}`, LOGIN: named('/login'), LOGOUT: named('/logout') };
  const texts: Readonly<Record<string, string>> = { ...paths, MENU: named('Example menu') };
  const view = (
    viewType: DemoView['viewType'],
    name: string,
    description: string,
    body: string,
  ): DemoView => ({
    viewType,
    name: named(name),
    description,
    body: body.replace(/"(MENU|HOME|LOGIN|LOGOUT)"/g, (_, text: string) => `"${texts[text]}"`),
  });
  const toLogin = { redirect: paths.LOGIN };
  return {
    views: [
      view('layout', 'Example layout', 'Layout of all pages of the example', LAYOUT),
      view('component', 'Example menu', 'Menu above each page of the example', MENU),
      view('page', 'Example home', 'Home page for signed-in users', HOME),
      view('page', 'Example login', 'Page for signing in', LOGIN),
      view('page', 'Example error', 'Error page for unknown addresses', ERROR),
    ],
    endpoints: [
      {
        method: 'get',
        route: paths.HOME,
        description: 'Home page; users who have not signed in are redirected to the login page',
        access: 'members',
        staticReply: { page: named('Example home') },
        unauthorizedReply: toLogin,
      },
      {
        method: 'get',
        route: paths.LOGIN,
        description: 'Login page of the example',
        access: 'public',
        staticReply: { page: named('Example login') },
      },
      {
        method: 'post',
        route: paths.LOGIN,
        description:
          'Receives the login form. Intended for a workflow that checks the password and returns a token',
        access: 'public',
      },
      {
        method: 'get',
        route: paths.LOGOUT,
        description: 'Redirects users who sign out to the login page',
        access: 'public',
        staticReply: toLogin,
      },
    ],
    errorPage: named('Example error'),
    group: { name: named('Example group'), description: 'Users with access to the home page of the example' },
    user: { email: `example${suffix}@example.com`, firstName: 'Example', lastName: 'User' },
  };
}
