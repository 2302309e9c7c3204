/**
 * Writes the files of an empty database into the folder that is the only argument, as a process of its own: making them
 * takes half a gigabyte for seconds, and whoever makes them in its own process keeps a part of that for as long as it lives.
 */
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

const [, , directory] = process.argv;
if (directory === undefined) throw new Error('The folder of the database is missing');
const database = await PGlite.create({ fs: new NodeFS(directory) });
await database.close();
