import { createServer } from 'node:http';

/** A worker for the test of the pool: does what it is told. */
process.on('message', ({ message }: { message: string }) => {
  const [word, port] = message.split(' ');
  if (word === 'listen') {
    createServer((_request, response) => response.end(String(process.pid))).listen(Number(port), '127.0.0.1');
  }
  if (word === 'die') process.exit(3);
  if (word === 'hang') for (;;);
});
process.on('SIGTERM', () => process.exit(0));
process.send?.({ pid: process.pid });
process.send?.('ready');
