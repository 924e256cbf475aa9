/** Key of the token in the session storage of the tab. */
const TOKEN = 'fieldwright.token';
/** Name of the security scheme in the document. */
const SCHEME = 'bearer';

/** Type of the action that keeps why the token was refused. */
const REFUSE = 'fieldwright_refuse_token';

const isSignedIn = (authSelectors) => Boolean(authSelectors.authorized()?.has(SCHEME));

const authorization = (value) => ({
  [SCHEME]: { name: SCHEME, schema: { type: 'http', scheme: 'bearer' }, value },
});

/** Messages of a `401` about the token, rather than about credentials in the body. */
const REFUSED_TOKEN = /^(Invalid access token|Access token has expired)$/;

/** Returns a token. Throws an error with the message of the platform if it refuses the sign-in. */
async function requestToken(form) {
  const { email, password, twoFactorCode } = Object.fromEntries(new FormData(form));
  const response = await fetch('../auth/user', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, twoFactorCode: twoFactorCode || undefined }),
  });
  const { token, message } = await response.json();
  if (!response.ok) throw new Error(message);
  return token;
}

/** Returns the components of the plugin. */
function componentsOf({ createElement, useState }) {
  const field = (name, label, more) =>
    createElement('input', { name, 'aria-label': label, placeholder: label, ...more });

  function SignIn({ authActions, authSelectors }) {
    const [{ isBusy, error }, setState] = useState({ error: authSelectors.refusal() });
    const submit = async (event) => {
      event.preventDefault();
      setState({ isBusy: true });
      try {
        authActions.authorize(authorization(await requestToken(event.target)));
      } catch ({ message }) {
        setState({ error: message });
      }
    };
    return createElement(
      'form',
      { className: 'sign-in', onSubmit: submit },
      field('email', 'Email', { type: 'email', autoComplete: 'username', required: true }),
      field('password', 'Password', { type: 'password', autoComplete: 'current-password', required: true }),
      field('twoFactorCode', 'Two-factor code', { inputMode: 'numeric', autoComplete: 'one-time-code' }),
      createElement('button', { className: 'btn', disabled: isBusy }, 'Sign in'),
      createElement('p', { role: 'alert' }, error),
    );
  }

  function SignOut({ authActions }) {
    const signOut = () => {
      authActions.logout([SCHEME]);
      // Removes displayed responses, and commands that contain the token.
      location.reload();
    };
    return createElement(
      'div',
      { className: 'sign-in' },
      createElement('p', null, 'You are signed in.'),
      createElement('button', { className: 'btn', type: 'button', onClick: signOut }, 'Sign out'),
    );
  }

  return { SignIn, SignOut };
}

/**
 * Plugin with a form that signs in, beside the dialog for tokens. The session storage of the tab keeps the token, so that
 * it survives a reload. A token that the platform refuses, because it has expired or was revoked, is removed.
 */
export const signIn = ({ React }) => ({
  afterLoad({ authActions }) {
    const token = sessionStorage.getItem(TOKEN);
    if (token) authActions.authorize(authorization(token));
  },
  statePlugins: {
    auth: {
      actions: { refuse: (message) => ({ type: REFUSE, payload: message }) },
      reducers: { [REFUSE]: (state, { payload }) => state.set('refusal', payload) },
      selectors: { refusal: (state) => state.get('refusal') },
      wrapActions: {
        authorize: (original) => (payload) => {
          const token = payload[SCHEME]?.value;
          if (token) sessionStorage.setItem(TOKEN, token);
          return original(payload);
        },
        logout: (original) => (schemes) => {
          sessionStorage.removeItem(TOKEN);
          return original(schemes);
        },
      },
    },
    spec: {
      wrapActions: {
        setResponse:
          (original, { authActions, authSelectors }) =>
          (path, method, response) => {
            const { status, body } = response.err?.response ?? response;
            if (status === 401 && REFUSED_TOKEN.test(body?.message) && isSignedIn(authSelectors)) {
              authActions.refuse(`${body.message}. Sign in again.`);
              authActions.logout([SCHEME]);
            }
            return original(path, method, response);
          },
      },
    },
  },
  wrapComponents: {
    AuthorizeBtnContainer: (TokenDialog) => {
      const { SignIn, SignOut } = componentsOf(React);
      return function Account(props) {
        return React.createElement(
          'div',
          { className: 'account' },
          React.createElement(isSignedIn(props.authSelectors) ? SignOut : SignIn, props),
          React.createElement(TokenDialog, props),
        );
      };
    },
  },
});
