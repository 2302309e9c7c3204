import { problemText } from '../../errors/problem.ts';

const noRoom = /No space left|ENOSPC|EDQUOT/i;
const noRight = /Permission denied|EACCES|EPERM|EROFS|Read-only file system/i;

const adviceFor = (reason: string, directory: string): string => {
  if (noRoom.test(reason)) return 'Make room on its disk and start again; what was committed is kept.';
  if (noRight.test(reason)) return 'Let the user of this process read and write it.';
  return (
    'Its files are damaged, or of another version. Keep the folder, put the last good copy of the data directory in its place ' +
    `(docs/operations.md, "Restore"), or move ${directory} away to begin with an empty database.`
  );
};

/** PostgreSQL does not start on the files of the embedded database. The message tells why and how to go on. */
export class UnusableFiles extends Error {
  constructor(directory: string, cause: unknown) {
    const reason = problemText(cause).replace(/^Error: /, '');
    super(`The embedded database in ${directory} does not start: ${reason}. ${adviceFor(reason, directory)}`, {
      cause,
    });
    this.name = 'UnusableFiles';
  }
}
