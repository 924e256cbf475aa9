/** SQL of the name of a certificate `t` in audit logs. */
export const LOGGED_NAME = 'coalesce(t.certificate_info_common_name, t.digest)';
