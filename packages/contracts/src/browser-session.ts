/** What a browser sends beside the cookie of its session: no page of another origin can, for CORS never allows it. */
export const csrfHeader = 'X-CSRF-Token';

/** Names of the cookie: over https, where no other host and no clear connection can set it, and in clear. */
export const sessionCookies = { secure: '__Host-portcullis_session', clear: 'portcullis_session' } as const;
