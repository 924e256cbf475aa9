const ACCOUNT = 'It changes how the account signs in, or deletes it.';
const MOVES = 'It moves every application of the account.';
const STORE = 'It needs a store for archives and a retention set by the operator.';
const OUTSIDE = 'It needs a party outside of the platform: a mailbox or an identity provider.';

/** Operations whose success no test of this kind can try, with the reason. */
export const OUT_OF_REACH: Readonly<Record<string, string>> = {
  'auth.authenticateUserCodehost': OUTSIDE,
  'auth.authenticateUserSaml': OUTSIDE,
  'orgInvites.get': OUTSIDE,
  'orgInvites.post': OUTSIDE,
};

/** Operations whose success is not tried on a deployed platform, with the reason. */
export const NOT_TRIED: Readonly<Record<string, string>> = {
  'me.changePassword': ACCOUNT,
  'me.delete': ACCOUNT,
  'me.enableTwoFactorAuth': ACCOUNT,
  'me.disableTwoFactorAuth': ACCOUNT,
  'instanceSandbox.delete': ACCOUNT,
  'instanceSandbox.undelete': ACCOUNT,
  'me.transferResources': MOVES,
  'application.archiveData': STORE,
  'application.backfillArchiveData': STORE,
  'application.fullEventsArchive': STORE,
  'application.fullDataTablesArchive': STORE,
  ...OUT_OF_REACH,
};
