#include "report/html_parts.h"

namespace ptxwb::report {

// Text on its ground has a contrast of 4.5 or more in both themes, marks of the plots 3 or more: a test computes them.
std::string_view styleSheet() {
    return R"css(
:root {
  color-scheme: light dark;
  --ground: #FFFFFF; --panel: #F5F6F8; --text: #1A1A1A; --muted: #565B61; --line: #D3D6DA; --link: #0B4F9E;
  --pass: #1B5E20; --pass-ground: #DFF3E1; --fail: #A31515; --fail-ground: #FDE3E1;
  --open: #454A50; --open-ground: #E4E7EA; --stale: #6B4E00; --stale-ground: #FBEFC9;
  --added: #D6E9FF; --removed: #FFE3CC; --moved: #EDE3F7; --changed: #FFF6D8; --mark: #FFD866;
  --found: #FDE3E1; --related: #FFF2D0;
  --plot-candidate: #1F6FB2; --plot-baseline: #B35900; --plot-bar: #2E7D5B;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #1C1C1C; --panel: #262728; --text: #E6E6E6; --muted: #ABB0B5; --line: #45484B; --link: #8CC2FA;
    --pass: #8FD19E; --pass-ground: #1E3524; --fail: #FF9E96; --fail-ground: #4A2220;
    --open: #C4C8CC; --open-ground: #37393C; --stale: #F2C14E; --stale-ground: #403516;
    --added: #10304F; --removed: #4A2A10; --moved: #3A2A4A; --changed: #37331C; --mark: #6B5600;
    --found: #4A2220; --related: #403516;
    --plot-candidate: #5AA9E6; --plot-baseline: #F2A541; --plot-bar: #5FC98B;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem; max-width: 84rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", sans-serif; }
h1 { margin: 0 0 .25rem; font-size: 1.6rem; }
h2 { margin: 2.25rem 0 .75rem; padding-bottom: .25rem; border-bottom: 1px solid var(--line); font-size: 1.25rem; }
h3 { margin: 1.5rem 0 .5rem; font-size: 1.02rem; }
p { margin: .4rem 0; max-width: 72ch; overflow-wrap: anywhere; }
a { color: var(--link); }
.muted { color: var(--muted); }
.note { padding: .5rem .75rem; max-width: none; border-left: 4px solid var(--stale); background: var(--stale-ground);
  color: var(--stale); }
pre, code, .code { font-family: ui-monospace, "DejaVu Sans Mono", Consolas, monospace; font-size: .86em; tab-size: 4; }
pre { margin: .4rem 0; padding: .6rem .75rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .25rem .7rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
thead th { color: var(--muted); font-weight: 600; white-space: nowrap; }
td.number, th.number { text-align: right; white-space: nowrap; overflow-wrap: normal;
  font-variant-numeric: tabular-nums; }
.facts th { white-space: nowrap; font-weight: 600; color: var(--muted); }
.hash { font-size: .8em; }
.badge { display: inline-block; padding: 0 .5em; border-radius: .25em; font-weight: 600; white-space: nowrap; }
.pass { color: var(--pass); background: var(--pass-ground); }
.fail { color: var(--fail); background: var(--fail-ground); }
.open { color: var(--open); background: var(--open-ground); }
.stale { color: var(--stale); background: var(--stale-ground); }
summary { cursor: pointer; color: var(--link); }
.finding { margin: .75rem 0; padding-left: .75rem; border-left: 4px solid var(--fail); }
.finding.warning { border-color: var(--stale); }
table.code { width: 100%; margin: .3rem 0; background: var(--panel); }
table.code td { padding: 0 .5rem; border: 0; white-space: pre-wrap; }
table.code td.at { width: 4.5em; padding-right: .75rem; text-align: right; color: var(--muted); user-select: none;
  white-space: nowrap; overflow-wrap: normal; }
table.code td.glyph { width: 1.8em; padding: 0 .4em; text-align: center; color: var(--text); white-space: nowrap; }
table.code tr.found td { background: var(--found); color: var(--text); }
table.code tr.related td { background: var(--related); color: var(--text); }
table.sides { table-layout: fixed; margin: 0; }
tr.added td.right, tr.modifier td.right, tr.opcode td.right, tr.operand td.right, tr.immediate td.right
  { background: var(--added); color: var(--text); }
tr.removed td.left, tr.modifier td.left, tr.opcode td.left, tr.operand td.left, tr.immediate td.left
  { background: var(--removed); color: var(--text); }
tr.moved td.left, tr.moved td.right { background: var(--moved); color: var(--text); }
tr.renamed td.left, tr.renamed td.right { background: var(--changed); color: var(--text); }
tr.trivia td.left, tr.trivia td.right { background: var(--panel); color: var(--muted); }
mark { background: var(--mark); color: var(--text); }
td.remark { color: var(--muted); font-style: italic; }
.folded { padding: .1rem .75rem; background: var(--panel); border-top: 1px dashed var(--line); }
svg { display: block; max-width: 100%; height: auto; margin: .5rem 0; }
svg text { fill: var(--text); font: 12px system-ui, "Segoe UI", "Noto Sans", sans-serif; }
svg .muted { fill: var(--muted); }
svg .axis { stroke: var(--line); fill: none; }
svg .candidate { fill: var(--plot-candidate); stroke: none; }
svg .baseline { fill: none; stroke: var(--plot-baseline); stroke-width: 1.5; }
svg .median { stroke-dasharray: 6 4; stroke-width: 1.5; fill: none; }
svg .median.candidate { stroke: var(--plot-candidate); fill: none; }
svg .bar { fill: var(--plot-bar); }
svg .track { fill: var(--panel); stroke: var(--line); }
@media print { body { max-width: none; } pre, table.code { page-break-inside: auto; } }
)css";
}

} // namespace ptxwb::report
