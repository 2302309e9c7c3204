import type { ApprovalDifference } from '@portcullis/contracts/routes/approvals';
import styles from './difference.module.css';

/** One place that changed: by words where there are some, else before and after. Invisible characters are shown by the server. */
export const Difference = ({ difference }: { readonly difference: ApprovalDifference }) => (
  <section className={styles['difference']}>
    <h3>
      <code>{difference.path}</code> {difference.change}
    </h3>
    {difference.words === null ? <BeforeAndAfter difference={difference} /> : <Words words={difference.words} />}
    {difference.invisible_characters > 0 && (
      <p className="problem">{difference.invisible_characters.toLocaleString()} invisible characters, shown as ⟨U+…⟩</p>
    )}
    {difference.marks.length > 0 && difference.after !== null && (
      <p>Found: {difference.marks.map(({ start, end }) => difference.after?.slice(start, end)).join(' · ')}</p>
    )}
  </section>
);

const Words = ({ words }: { readonly words: NonNullable<ApprovalDifference['words']> }) => (
  <p className={styles['words']}>
    {words.map(({ change, text }, index) => {
      if (change === 'added') return <ins key={index}>{text}</ins>;
      if (change === 'removed') return <del key={index}>{text}</del>;
      return <span key={index}>{text}</span>;
    })}
  </p>
);

const BeforeAndAfter = ({ difference: { before, after } }: { readonly difference: ApprovalDifference }) => (
  <p className={styles['words']}>
    {before !== null && <del>{before}</del>} {after !== null && <ins>{after}</ins>}
  </p>
);
