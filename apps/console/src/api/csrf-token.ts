/**
 * That of the session of this browser, which each change needs. Any value will do to sign in and to read. It stays in the
 * memory of the page: the session's own secret is a cookie that scripts cannot read.
 */
export const csrfToken = { current: 'read' };
