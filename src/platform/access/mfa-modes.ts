/** Which members of an organization or instance must have a second factor. */
export const MFA_MODES = ['notRequired', 'adminRequired', 'required'] as const;
export type MfaMode = (typeof MFA_MODES)[number];
