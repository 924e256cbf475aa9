/** What a new password looks like: 12 characters or more, of all kinds. */
export const NEW_PASSWORD = '^(?=.*[A-Z])(?=.*[^A-Za-z0-9])(?=.*[0-9])(?=.*[a-z]).{12,}$';
