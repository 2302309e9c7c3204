interface SelectFieldProps {
  readonly name: string;
  readonly value: string | undefined;
  /** Labels by value; the one of '' stands for no choice. */
  readonly options: Readonly<Record<string, string>>;
  readonly onChoose: (value: string) => void;
}

export const SelectField = ({ name, value = '', options, onChoose }: SelectFieldProps) => (
  <label className="field">
    <span>{name}</span>
    <select value={value} onChange={({ target }) => onChoose(target.value)}>
      {Object.entries(options).map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </select>
  </label>
);
