/** Of the reference page; light and dark as the reader's system is. */
export const referenceStyle = `
:root { color-scheme: light dark; --line: light-dark(#ddd, #333); --soft: light-dark(#666, #999); --back: light-dark(#f6f7f9, #16181d) }
* { box-sizing: border-box }
body { margin: 0; font: 15px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 20rem minmax(0, 60rem); gap: 2rem }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1rem; border-right: 1px solid var(--line); background: var(--back) }
nav h2 { font-size: .85rem; margin: 1rem 0 .25rem; text-transform: uppercase; color: var(--soft) }
nav a { display: block; font-size: .85rem; padding: .1rem 0; text-decoration: none; color: inherit; overflow-wrap: anywhere }
nav a:hover, nav a:focus { text-decoration: underline }
main { padding: 1rem 1rem 6rem 0; min-width: 0 }
h2 { border-bottom: 2px solid var(--line); margin-top: 3rem }
h4 { margin: 1rem 0 .25rem }
code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere }
pre { background: var(--back); border: 1px solid var(--line); padding: .75rem; overflow: auto }
dl { margin: .25rem 0 .25rem .25rem; padding-left: .75rem; border-left: 1px solid var(--line) }
dt { margin-top: .4rem }
dd { margin: 0 0 0 1rem }
.operation { border-bottom: 1px solid var(--line); padding-bottom: 1rem }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700 }
.get { color: light-dark(#0b6b3a, #5fd39b) } .post { color: light-dark(#0a4fa3, #7db4ff) } .delete { color: light-dark(#a31212, #ff8c8c) }
.put, .patch { color: light-dark(#8a5a00, #f0c060) }
.role, .rules, .place, .media, .type, .alternative { color: var(--soft); font-size: .85rem }
.required { color: light-dark(#a31212, #ff8c8c); font-size: .8rem }
.status { font-weight: 700 } .s2 { color: light-dark(#0b6b3a, #5fd39b) }
.schema p { margin: .1rem 0 }
@media (max-width: 60rem) { body { display: block } nav { position: static; height: auto; max-height: 40vh } main { padding: 1rem } }
@media print { nav { display: none } body { display: block } }
`;
