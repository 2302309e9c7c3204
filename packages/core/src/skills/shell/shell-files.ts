import { personalStore, secretStore } from '../rules/vocabulary.ts';
import type { Content } from './shell-values.ts';

const secretPath = new RegExp(`${secretStore}|${personalStore}`);
const publicPath = /\.pub$|known_hosts$/;
const mostFiles = 1_000;

/** What is known of the files that shell texts write and read, and of their open descriptors, which are called `&3`. */
export class ShellFiles {
  readonly #files = new Map<string, Content>();

  read(path: string): Content {
    const known = this.#files.get(keyOf(path));
    if (known !== undefined) return { ...known, isStored: true };
    return { files: [path], ...(secretPath.test(path) && !publicPath.test(path) && { isSecret: true }) };
  }

  has(path: string): boolean {
    return this.#files.has(keyOf(path));
  }

  write(path: string, content: Content): void {
    if (this.#files.size < mostFiles) this.#files.set(keyOf(path), content);
  }

  /** Checksums or signatures of what there is were compared. */
  verifyAll(): void {
    for (const [path, content] of this.#files) this.#files.set(path, { ...content, isVerified: true });
  }
}

const keyOf = (path: string): string => path.replace(/^\.\//, '').replace(/^\$\{?PWD\}?\//, '');
