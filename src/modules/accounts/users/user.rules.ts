/** Pattern of a new password: at least 12 characters of all required kinds. */
export const NEW_PASSWORD = '^(?=.*[A-Z])(?=.*[^A-Za-z0-9])(?=.*[0-9])(?=.*[a-z]).{12,}$';
