/** A worker that cannot serve. */
process.exit(1);
