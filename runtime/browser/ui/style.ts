// The style of the component. Colours follow the color-scheme of the page; custom properties and parts change them.
export const style = `
:host {
  --accent: var(--kdd-accent, light-dark(#0b5bd3, #7fb2ff));
  --background: var(--kdd-background, light-dark(#fff, #16181d));
  --raised: var(--kdd-raised, light-dark(#f4f5f8, #20232a));
  --text: var(--kdd-text, light-dark(#1a1d23, #e9ebef));
  --faint: var(--kdd-faint, light-dark(#5b626d, #a4abb6));
  --border: var(--kdd-border, light-dark(#dcdfe5, #343943));
  --edge: var(--kdd-edge, light-dark(#868d99, #78808c));
  --chosen: var(--kdd-chosen, light-dark(#e8f0fd, #22314a));
  --mark: var(--kdd-mark, light-dark(#fff0b8, #57480f));
  --radius: var(--kdd-radius, 12px);
  --shadow: var(--kdd-shadow, 0 18px 60px rgb(10 15 30 / .28), 0 2px 8px rgb(10 15 30 / .12));
  display: inline-block; color: var(--text); font: var(--kdd-font, 400 15px/1.5 system-ui, sans-serif); text-align: start;
  letter-spacing: normal; text-transform: none;
}
:host([hidden]) { display: none; }
:host([inline]) { display: block; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
*, ::before, ::after { box-sizing: border-box; }
button, input, select { font: inherit; color: inherit; margin: 0; letter-spacing: inherit; }
button { cursor: pointer; background: none; border: 0; padding: 0; border-radius: 6px; }
svg { width: 1.15em; height: 1.15em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round;
  stroke-linejoin: round; vertical-align: -.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[hidden] { display: none !important; }

.button { display: inline-flex; align-items: center; gap: .5rem; min-height: 2.4rem; padding: 0 .6rem 0 .75rem;
  background: var(--background); border: 1px solid var(--border); border-radius: calc(var(--radius) * .7); color: var(--faint);
  white-space: nowrap; transition: border-color .15s, color .15s; }
.button:hover { border-color: var(--edge); color: var(--text); }
.button span { min-width: 0; overflow: hidden; text-overflow: ellipsis; }
kbd { font: 500 .75rem/1 var(--kdd-font, system-ui, sans-serif); color: var(--faint); background: var(--raised); border: 1px solid var(--border);
  border-radius: 5px; padding: .25rem .35rem; min-width: 1.4rem; text-align: center; display: inline-block; }
.button kbd { margin-inline-start: 1.2rem; }

dialog { padding: 0; border: 1px solid var(--border); border-radius: var(--radius); background: var(--background); color: inherit;
  box-shadow: var(--shadow); width: min(44rem, calc(100vw - 2rem)); max-width: none; margin: min(11vh, 6rem) auto auto;
  max-height: min(44rem, calc(100vh - 8rem)); overflow: hidden; }
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: light-dark(rgb(20 25 40 / .38), rgb(0 0 0 / .6)); backdrop-filter: blur(2px); }
.box { display: flex; flex-direction: column; min-height: 0; flex: 1; }

.field { position: relative; display: flex; align-items: center; gap: .75rem; padding: 0 1.1rem; border-bottom: 1px solid var(--border);
  flex: none; color: var(--faint); }
.field > svg { color: var(--accent); width: 1.35em; height: 1.35em; }
input, input:focus-visible { flex: 1; min-width: 0; height: 3.75rem; background: none; border: 0; outline: 0; font-size: 1.1rem; color: var(--text);
  appearance: none; }
input::-webkit-search-cancel-button { display: none; }
input::placeholder { color: var(--faint); opacity: 1; }
.field:focus-within::after { content: ""; position: absolute; inset: auto 0 -1px; height: 2px; background: var(--accent); }
.busy::before { content: ""; position: absolute; bottom: -1px; inset-inline-start: 0; width: 30%; height: 2px; z-index: 1;
  background: linear-gradient(90deg, transparent, var(--background), transparent); animation: busy 1s linear infinite; }
@keyframes busy { to { inset-inline-start: 100%; } }
.quiet { color: var(--faint); padding: .3rem .55rem; font-size: .85rem; }
.quiet:hover { color: var(--text); background: var(--raised); }
.close span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.field .quiet { display: grid; place-items: center; min-width: 2rem; min-height: 2rem; padding: 0 .4rem; }

.bar { display: flex; align-items: center; gap: .5rem; flex-wrap: wrap; padding: .45rem .7rem .45rem 1.1rem; min-height: 2.75rem; flex: none;
  color: var(--faint); font-size: .85rem; }
.bar .status { flex: 1; min-width: 8rem; }
.bar [aria-expanded] { display: inline-flex; align-items: center; gap: .35rem; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0 1.1rem .7rem; flex: none; }
.filters label { display: flex; align-items: center; gap: .45rem; font-size: .85rem; color: var(--faint); border: 1px solid var(--edge);
  border-radius: 2rem; padding: 0 .35rem 0 .8rem; min-height: 2rem; }
.filters label.set { border-color: var(--accent); background: var(--chosen); color: var(--text); }
select { border: 0; background: transparent; color: var(--text); max-width: 11rem; min-height: 2rem; border-radius: 2rem; cursor: pointer; }
select option { background: var(--background); color: var(--text); }

.list { overflow-y: auto; overscroll-behavior: contain; padding: 0 .6rem .6rem; flex: 1; min-height: 0; scroll-padding: .5rem; }
.page { display: block; padding: .55rem .6rem .4rem; border-radius: 8px; color: inherit; text-decoration: none; }
.row { display: flex; align-items: baseline; gap: .5rem; }
.page strong { font-weight: 650; overflow-wrap: anywhere; }
.page .path { color: var(--faint); font-size: .8rem; min-width: 0; flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.kind { font-size: .72rem; line-height: 1; color: var(--faint); border: 1px solid var(--border); border-radius: 1rem; padding: .25rem .5rem; white-space: nowrap; }
.group + .group { margin-top: .35rem; border-top: 1px solid var(--border); padding-top: .3rem; }
.hit { position: relative; display: block; padding: .5rem .8rem .55rem 1.1rem; margin-inline-start: .6rem; border-radius: 8px;
  color: inherit; text-decoration: none; border-inline-start: 2px solid var(--border); border-start-start-radius: 0; border-end-start-radius: 0; }
.hit .title { display: block; font-weight: 550; overflow-wrap: anywhere; }
.hit .above { color: var(--faint); font-weight: 400; }
.snippet { color: var(--faint); font-size: .9rem; line-height: 1.45; overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical;
  -webkit-line-clamp: 2; overflow-wrap: anywhere; }
mark { background: var(--mark); color: var(--text); border-radius: 3px; padding: 0 .1em; margin: 0 -.1em; }
[role="option"] { cursor: pointer; }
[role="option"]:hover { background: var(--raised); }
[role="option"][aria-selected="true"] { background: var(--chosen); }
.hit[aria-selected="true"] { border-inline-start-color: var(--accent); }
[role="option"][aria-selected="true"] .title, .page[aria-selected="true"] strong { color: var(--accent); }
.recent { display: flex; align-items: center; gap: .7rem; padding: .6rem; border-radius: 8px; color: var(--text); }
.recent svg { color: var(--faint); }
.note { margin: 0; padding: .2rem .6rem .5rem; color: var(--faint); font-size: .9rem; }
.weak { margin: .6rem .6rem .2rem; padding-top: .8rem; border-top: 1px solid var(--border); color: var(--faint); font-size: .85rem; }
.weak:first-child, .note + .weak { border: 0; padding: 0; margin-top: .2rem; }
.more { display: flex; justify-content: center; padding: .5rem 0 .1rem; }
.more .quiet { border: 1px solid var(--border); padding: .4rem .9rem; color: var(--text); }

.empty { padding: 1.8rem 1.1rem 2.4rem; text-align: center; color: var(--faint); overflow-wrap: anywhere; }
.empty strong { display: block; color: var(--text); font-weight: 600; font-size: 1.02rem; margin-bottom: .3rem; }
.empty p { margin: .15rem 0; }
.empty .quiet { margin-top: .9rem; border: 1px solid var(--edge); padding: .4rem .9rem; color: var(--text); }

.foot { display: flex; align-items: center; gap: 1.1rem; padding: .6rem 1.1rem; border-top: 1px solid var(--border); color: var(--faint);
  font-size: .8rem; background: var(--raised); flex: none; }
.foot span { display: inline-flex; align-items: center; gap: .35rem; white-space: nowrap; }
.foot kbd { background: var(--background); }
.foot .here { margin-inline-start: auto; overflow: hidden; text-overflow: ellipsis; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

:host([inline]) .box { border: 1px solid var(--border); border-radius: var(--radius); overflow: hidden; background: var(--background); }
:host([inline]) .list { overflow: visible; }
:host([inline]) .foot { display: none; }

@media (max-width: 40rem) {
  .button kbd { display: none; }
  dialog { width: 100vw; max-height: none; height: 100dvh; margin: 0; border: 0; border-radius: 0; }
  .foot { display: none; }
  .field { padding-inline: .9rem .5rem; }
  input { font-size: 1rem; } /* 16 px: phones do not zoom in */
  .close kbd { display: none; }
  .close span { position: static; width: auto; height: auto; clip-path: none; }
  .page .path, .how { display: none; }
  .page strong { flex: 1; }
}
@media (pointer: coarse) { .foot span:not(.here) { display: none; } .hit, .recent { padding-block: .7rem; } }
@media (prefers-reduced-motion: no-preference) {
  dialog[open] { animation: rise .14s ease-out; }
  @keyframes rise { from { opacity: 0; transform: translateY(-6px) scale(.99); } }
}
@media (prefers-reduced-motion: reduce) { .busy::before { animation: none; width: 100%; } .button { transition: none; } }
@media (forced-colors: active) { [role="option"][aria-selected="true"] { outline: 2px solid Highlight; outline-offset: -2px; } mark { forced-color-adjust: none; } }
`;
