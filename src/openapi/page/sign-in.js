/** Key of the token in the session storage of the tab. */
const TOKEN = 'fieldwright.token';
/** Name of the security scheme in the document. */
const SCHEME = 'bearer';

const authorization = (value) => ({
  [SCHEME]: { name: SCHEME, schema: { type: 'http', scheme: 'bearer' }, value },
});

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

  function SignIn({ authActions }) {
    const [{ isBusy, error }, setState] = useState({});
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
 * it survives a reload.
 */
export const signIn = ({ React }) => ({
  afterLoad({ authActions }) {
    const token = sessionStorage.getItem(TOKEN);
    if (token) authActions.authorize(authorization(token));
  },
  statePlugins: {
    auth: {
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
  },
  wrapComponents: {
    AuthorizeBtnContainer: (TokenDialog) => {
      const { SignIn, SignOut } = componentsOf(React);
      return function Account(props) {
        const isSignedIn = props.authSelectors.authorized()?.has(SCHEME);
        return React.createElement(
          'div',
          { className: 'account' },
          React.createElement(isSignedIn ? SignOut : SignIn, props),
          React.createElement(TokenDialog, props),
        );
      };
    },
  },
});
