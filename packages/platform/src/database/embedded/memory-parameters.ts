/**
 * PostgreSQL's own 128 MB of pages are kept by the operating system once more, as files; with 16 the load and the lists of
 * this gateway take as much processor time as with 128, with 8 a tenth more.
 */
export const sharedBuffers = 'shared_buffers=16MB';

/** Among the parameters that the embedded PostgreSQL is started with. */
export const memoryParameters = ['-c', sharedBuffers, '-c', 'wal_buffers=2MB'];
