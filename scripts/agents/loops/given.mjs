/** Where the gateway is, the key for it, and what to do. */
export const given = {
  url: process.env['GATEWAY_URL'],
  key: process.env['GATEWAY_KEY'],
  prompt: process.argv[2],
};
