import { memoizeLast } from '@portcullis/core/collections/memoize-last';
import { ExceptionTable } from '@portcullis/core/policy/exceptions/exception-table';
import { property } from '@portcullis/core/json/json-value';
import { parseToolPermissions } from '@portcullis/core/mcp/tool-permissions';
import { finish } from '@portcullis/core/collections/finish-steps';
import { runTimeSliced } from '@portcullis/platform/event-loop/run-time-sliced';
import { createCallerCompiler } from '@portcullis/platform/snapshot/compile-callers';
import { GroupedIndex } from '@portcullis/platform/snapshot/entry-index';
import type { SnapshotCompiler } from '@portcullis/platform/snapshot/snapshot-compiler';
import { allRows, type RowsById } from '@portcullis/platform/snapshot/snapshot-source';
import { compileBudget, compileBudgets } from './compile-budgets.ts';
import { createLoginCompiler } from './compile-logins.ts';
import { createOAuthCompiler } from './compile-oauth.ts';
import { compilePricing } from './compile-pricing.ts';
import { compilePrompts, type Prompts } from './compile-prompts.ts';
import { ProxyCompiler, type CompilerParts } from './proxy-compiler.ts';
import type { AccessEntry, GroupEntry, Snapshot } from './snapshot.ts';
import type {
  AccessRow,
  BudgetRaiseRow,
  BudgetResetRow,
  BudgetRow,
  GroupRow,
  PromptRow,
  SettingsRow,
  SnapshotRows,
  SubjectBudgetRow,
} from './snapshot-sources.ts';

/** Proxies whose policies have to be compiled first are behind: see `Snapshot`. */
export function createSnapshotCompiler(parts: CompilerParts): SnapshotCompiler<SnapshotRows, Snapshot> {
  const callers = createCallerCompiler(compileGroup);
  const logins = createLoginCompiler();
  const oauth = createOAuthCompiler(parts.encryption, parts.log);
  const access = new GroupedIndex<AccessRow, AccessEntry>((row) => [row.proxy_id, row.user_group_id]);
  const accessCompiler = memoizeLast((prompts: Prompts) => (row: AccessRow) => compileAccess(row, prompts));
  const budgets = memoizeLast(
    (
      budget: RowsById<BudgetRow>,
      resets: RowsById<BudgetResetRow>,
      subjects: RowsById<SubjectBudgetRow>,
      raises: RowsById<BudgetRaiseRow>,
    ) =>
      compileBudgets({
        organization: allRows(budget),
        resets: allRows(resets),
        subjects: allRows(subjects),
        raises: allRows(raises),
      }),
  );
  const pricing = memoizeLast((settings: RowsById<SettingsRow>) => compilePricing(allRows(settings)));
  const prompts = memoizeLast((rows: RowsById<PromptRow>) => compilePrompts(allRows(rows)));
  const exceptions = new ExceptionTable(Date.now);
  const followExceptions = memoizeLast((rows: SnapshotRows['exceptions']) => exceptions.replace(allRows(rows)));
  const proxies = new ProxyCompiler(parts);
  const followAccess = (rows: SnapshotRows) => access.follow(rows.access, accessCompiler(prompts(rows.prompts)));

  return {
    async prepare(rows) {
      await callers.prepare(rows);
      await logins.prepare(rows);
      await oauth.prepare(rows);
      await runTimeSliced(followAccess(rows));
    },

    compile(rows) {
      const shared = { access: finish(followAccess(rows)), prompts: prompts(rows.prompts) };
      followExceptions(rows.exceptions);
      const { proxies: entries, behind } = proxies.compile(rows, shared);
      return {
        revision: rows.revision,
        ...callers.compile(rows),
        logins: logins.compile(rows),
        oauth: oauth.compile(rows),
        proxies: entries,
        behind,
        exceptions,
        budgets: budgets(rows.organizationBudget, rows.budgetResets, rows.budgets, rows.budgetRaises),
        pricing: pricing(rows.settings),
        tracesContent: tracesContent(allRows(rows.settings)),
      };
    },

    catchUp: () => proxies.makeMissing(),
  };
}

const tracesContent = (settings: readonly SettingsRow[]): boolean => {
  const section = settings.find(({ section: name }) => name === 'llm_observability')?.document;
  return property(section, 'enabled') === true && property(section, 'include_content') === true;
};

const compileGroup = (row: GroupRow): GroupEntry => ({
  id: row.id,
  name: row.name,
  active: row.active,
  budget: compileBudget(row),
});

const compileAccess = (row: AccessRow, prompts: Prompts): AccessEntry => ({
  permissions: row.permissions,
  rateLimit: row.rate_limit,
  tools: parseToolPermissions(row.permissions),
  prompt: row.system_prompt_id === null ? undefined : prompts.get(row.system_prompt_id),
});
