import { useState } from 'react';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const stored = (): Theme => themes.find((theme) => theme === localStorage.getItem('theme')) ?? 'system';

export function applyTheme(theme: Theme = stored()): void {
  document.documentElement.dataset['theme'] = theme;
}

export function ThemeChoice() {
  const [theme, setTheme] = useState(stored);
  const choose = (wanted: Theme) => {
    localStorage.setItem('theme', wanted);
    applyTheme(wanted);
    setTheme(wanted);
  };
  return (
    <label className="row">
      Theme
      <select value={theme} onChange={({ target }) => choose(target.value as Theme)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}
