import type { RequestHandler } from 'express';

/**
 * A page at `/` for clients that ask for HTML before JSON: browsers do, programs go on and are told that there is no such path.
 * @param render answers the whole page
 */
export const createFrontPage =
  (render: () => Promise<string>): RequestHandler =>
  async (request, response, next) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (request.path !== '/' || !reads || request.accepts('json', 'html') !== 'html') return next();
    response
      .vary('Accept')
      .type('html')
      .send(await render());
  };
