import { useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { formText } from '../../ui/form-text.ts';
import { severityLabels, statusLabels } from '../../ui/labels.ts';
import { SelectField } from '../../ui/select-field.tsx';
import type { AlertSearch } from './alert-search.ts';

const timeRanges = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' } as const;

/** The filters that people use; those that only links set are shown to be taken away. */
export function AlertFilterBar({ search }: { readonly search: AlertSearch }) {
  const navigate = useNavigate();
  const change = (changed: AlertSearch) => {
    const { page: _, ...others } = { ...search, ...changed };
    const kept = Object.entries(others).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '/alerts', search: Object.fromEntries(kept) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ search: formText(event.currentTarget, 'search') });
  };

  return (
    <form className="row" onSubmit={submit} role="search">
      <SelectField
        name="Status"
        value={search.status}
        options={{ '': 'Open', ...statusLabels, all: 'All' }}
        onChoose={(status) => change({ status })}
      />
      <SelectField
        name="Severity"
        value={search.severity}
        options={{ '': 'All', ...severityLabels }}
        onChoose={(severity) => change({ severity })}
      />
      <SelectField
        name="Time"
        value={search.time_range}
        options={{ '': 'Any time', ...timeRanges }}
        onChoose={(time_range) => change({ time_range })}
      />
      <label className="field">
        <span>Search</span>
        <input key={search.search} name="search" type="search" maxLength={200} defaultValue={search.search} />
      </label>
      {(['rule_id', 'policy_name', 'user_identity', 'user_group', 'assignee', 'shadow'] as const).map(
        (name) =>
          search[name] !== undefined && (
            <button
              key={name}
              type="button"
              aria-label={`Without ${search[name]}`}
              onClick={() => change({ [name]: '' })}
            >
              {search[name]} ✕
            </button>
          ),
      )}
    </form>
  );
}
