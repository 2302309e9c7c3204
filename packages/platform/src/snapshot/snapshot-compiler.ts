/** Compiles rows into snapshots, reusing every part whose rows are the same as last time. */
export interface SnapshotCompiler<Rows, Snapshot> {
  /** Does what takes long of the same `compile`, in slices that requests under way do not feel. */
  prepare(rows: Rows): Promise<void>;
  compile(rows: Rows): Snapshot;
  /** Makes what the last snapshot had to do without, such as the plans of policies. False when there is nothing. */
  catchUp(): Promise<boolean>;
}
