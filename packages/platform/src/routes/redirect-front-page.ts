import type { RequestHandler } from 'express';

/**
 * Sends those who open `/` for HTML before JSON to a page: browsers are, programs go on and are told that there is no such path.
 * @param location of the page
 */
export const redirectFrontPage =
  (location: string): RequestHandler =>
  (request, response, next) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (request.path !== '/' || !reads || request.accepts('json', 'html') !== 'html') return next();
    response.vary('Accept').redirect(302, location);
  };
