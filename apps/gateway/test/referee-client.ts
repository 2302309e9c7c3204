/**
 * What the referee starts as the client that it judges: hands the address of the scenario's server to the test, which does
 * what a client does, and waits until it is through.
 */
const [, , test = '', server = ''] = process.argv;
const { ok } = await fetch(test, { method: 'POST', body: server });
process.exitCode = ok ? 0 : 1;
