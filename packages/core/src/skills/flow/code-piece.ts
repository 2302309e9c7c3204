import type { Language } from '../package/file-kind.ts';
import type { PackageFile } from '../package/read-package.ts';
import { readCodeOnce, type Statement } from '../reading/read-code.ts';
import { bindingsOf, functionHead, type Binding, type FunctionHead } from './read-statement.ts';

/** Code that is followed: a file, or a block in a document. */
export interface CodePiece {
  readonly file: PackageFile;
  readonly language: Language;
  readonly text: string;
  /** Where it begins in its file. */
  readonly from: number;
  /** From 0 to 1: how much what is found in it says. */
  readonly weight: number;
}

/** A statement, and what it does with names. */
export interface ReadStatement extends Statement {
  readonly head: FunctionHead | undefined;
  readonly bindings: readonly Binding[];
}

const known = new WeakMap<CodePiece, readonly ReadStatement[]>();

/** So many statements of a piece as are followed; who follows it asks once, and so does who looks for names. */
export function statementsOf(piece: CodePiece): readonly ReadStatement[] {
  let statements = known.get(piece);
  if (statements === undefined) known.set(piece, (statements = readStatements(piece)));
  return statements;
}

/** Sources with more are bundles. */
const mostStatements = 20_000;

function readStatements(piece: CodePiece): readonly ReadStatement[] {
  // Of a whole file they are those that its passages are told by.
  const owner = piece.text === piece.file.text ? piece.file : piece;
  return readCodeOnce(owner, piece.text, piece.language)
    .statements.slice(0, mostStatements)
    .map((statement) => ({
      ...statement,
      head: functionHead(statement.text),
      bindings: bindingsOf(statement.text),
    }));
}
