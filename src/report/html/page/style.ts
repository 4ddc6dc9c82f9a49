/**
 * How the page looks, on screens from 390 px on, on dark ones and on paper. Colours are those of Okabe and Ito, darker
 * or lighter until they have the contrast of WCAG AA with the surface.
 */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1b1d20;--muted:#595f67;--line:#d8dbdf;--surface:#fff;--raised:#f5f6f7;
--scenario:#0067a3;--baseline:#6f7680;--seed:#b04a00;--beyond:#0067a3;--bad:#b3261e;
--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans","Noto Sans CJK SC",sans-serif;
--serif:Charter,"Bitstream Charter","Iowan Old Style","Palatino Linotype",Palatino,"Noto Serif",Georgia,serif}
@media (prefers-color-scheme:dark){:root{--ink:#e7e9ec;--muted:#a4abb4;--line:#3a3f46;--surface:#16181b;--raised:#202327;
--scenario:#62b5ec;--baseline:#9aa2ac;--seed:#f0a05a;--beyond:#62b5ec;--bad:#ff8f86}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;max-width:1128px;padding:20px 24px 48px;background:var(--surface);color:var(--ink);
font:15px/1.5 var(--sans);font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
h1,h2,h3{font-family:var(--serif);line-height:1.2;margin:0}
h1{font-size:30px;font-weight:600}
h2{font-size:23px;font-weight:600;margin:56px 0 12px;padding-top:14px;border-top:1px solid var(--line)}
h3{font-size:17px;font-weight:600;margin:24px 0 6px}
p.panel{font:600 13.5px/1.4 var(--sans);margin:14px 0 2px}
p{margin:8px 0;max-width:76ch}
a{color:var(--scenario);text-underline-offset:2px}
code,pre{font:12.5px/1.5 ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
pre{margin:8px 0;padding:10px 12px;background:var(--raised);white-space:pre-wrap}
.skip{position:absolute;left:-999px}
.skip:focus{left:8px;top:8px;padding:6px 10px;background:var(--surface);z-index:3}
:focus-visible{outline:2px solid var(--scenario);outline-offset:2px}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;margin:6px 0 0;padding:0;font-size:14px}
nav a{color:var(--muted);display:inline-block;padding:3px 0}
.lead{font:17px/1.5 var(--serif);max-width:none;margin:12px 0}
.lead .asked{font-style:italic}
.alerts{list-style:none;margin:14px 0 0;padding:0;max-width:90ch}
.alerts li{padding-left:22px;text-indent:-22px;margin:3px 0}
.alerts li::before{display:inline-block;width:22px;text-indent:0;font-weight:700}
.alerts .bad::before{content:"✗";color:var(--bad)}
.alerts .warn::before{content:"!";color:var(--seed)}
.bad{color:var(--bad)}.alerts .bad{color:inherit}.alerts .bad strong{color:var(--bad)}
.muted,.note{color:var(--muted)}.note{font-size:13.5px}
.muted{font-weight:400}
figure{margin:16px 0 24px}
figcaption{color:var(--muted);font-size:13.5px;margin-top:6px;max-width:90ch}
.legend{display:flex;flex-wrap:wrap;gap:2px 20px;font-size:12.5px;color:var(--muted);margin:0;max-width:none}
.icon{width:30px;height:14px;vertical-align:-2px}
svg{display:block;max-width:100%;height:auto;overflow:visible}
.icon{display:inline-block}
svg text{font-family:var(--sans);font-size:12.5px;fill:var(--ink);font-variant-numeric:tabular-nums}
.forest text{paint-order:stroke;stroke:var(--surface);stroke-width:3px;stroke-linejoin:round}
svg .axis{fill:var(--muted)}
svg .label,svg .note{fill:var(--muted);font-size:11.5px}
svg .outcome{font-weight:600;font-size:13.5px}
.grid{stroke:var(--line);stroke-width:1;fill:none}
.zero{stroke:var(--muted);stroke-width:1;fill:none}
.interval{stroke:var(--baseline);stroke-width:1.5;fill:none}
.interval.beyond{stroke:var(--beyond);stroke-width:2.5}
.interval.thin{stroke-dasharray:4 3}
.mark-scenario{fill:var(--scenario);stroke:var(--scenario)}
.mark-baseline{fill:var(--baseline);stroke:var(--baseline)}
.mark-scenario.line,.mark-baseline.line{fill:none}
.forest{width:100%}
.forest .mark-scenario,.icon .mark-scenario{fill:var(--surface);stroke:var(--baseline);stroke-width:1.5}
.forest .mark-scenario.beyond,.icon .mark-scenario.beyond{fill:var(--beyond);stroke:var(--beyond)}
svg .value{fill:var(--muted)}
svg .value.beyond{fill:var(--ink);font-weight:700}
.hit{fill:transparent}
.current>.hit,[data-tip]:hover>.hit{fill:var(--raised)}
.wide,.medium{display:none}
.narrow{max-width:480px}
@media (min-width:700px){.narrow{display:none}.medium{display:block}}
@media (min-width:1100px){.medium{display:none}.wide{display:block}}
button{font:inherit;font-size:13px;color:var(--muted);background:none;border:0;padding:3px 0;margin-top:4px;
text-decoration:underline;text-underline-offset:2px;cursor:pointer}
button:hover{color:var(--ink)}
summary{cursor:pointer;padding:3px 0;color:var(--ink)}
.figures>summary{color:var(--muted);font-size:13.5px}
/* A shade at an edge says that there is more; it is hidden by what scrolls where there is not. */
.scroll{overflow-x:auto;max-width:100%;
background:linear-gradient(90deg,var(--surface) 40%,transparent) 0/36px 100% no-repeat local,
linear-gradient(270deg,var(--surface) 40%,transparent) 100%/36px 100% no-repeat local,
linear-gradient(90deg,var(--line),transparent) 0/14px 100% no-repeat scroll,
linear-gradient(270deg,var(--line),transparent) 100%/14px 100% no-repeat scroll}
table{border-collapse:collapse;font-size:13.5px;margin:6px 0 14px}
caption{text-align:left;font-weight:600;padding:8px 0 4px}
caption .muted,summary .muted{margin-left:.4em}
th,td{padding:3px 0 3px 18px;text-align:right;vertical-align:top;white-space:nowrap;overflow-wrap:normal}
thead th{border-bottom:1px solid var(--muted);font-weight:600;font-size:12.5px;vertical-align:bottom}
tbody th{font-weight:400}
tbody tr+tr>*{border-top:1px solid var(--line)}
th:first-child,td.t,th.t{text-align:left}
th:first-child{padding-left:0;white-space:normal;min-width:11em;max-width:26em;overflow-wrap:anywhere}
td.t{white-space:normal;min-width:7em;max-width:30em;overflow-wrap:anywhere}
.group{text-align:left;font-weight:600;padding-top:10px}
.b td:nth-last-child(5){font-weight:700}
.hash{font-size:11px;color:var(--muted);white-space:nowrap}
dl{display:grid;grid-template-columns:minmax(7em,12em) 1fr;gap:3px 18px;margin:8px 0 16px}
dt{color:var(--muted)}
dd{margin:0;min-width:0}
footer{margin-top:56px;padding-top:10px;border-top:1px solid var(--line);color:var(--muted);font-size:13px}
#tip{position:fixed;z-index:2;max-width:min(34em,calc(100vw - 16px));padding:6px 10px;background:var(--ink);
color:var(--surface);font-size:13px;line-height:1.4;pointer-events:none}
#tip[hidden]{display:none}
@media (max-width:699px){body{padding:14px 16px 32px}h1{font-size:25px}.lead{font-size:16px}
dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}
th,td{padding-left:10px}th:first-child{min-width:7.5em}thead th{white-space:normal}}
@page{size:A4;margin:16mm 15mm}
@media print{:root{color-scheme:light;--ink:#000;--muted:#444;--line:#bbb;--surface:#fff;--raised:#f5f6f7;
--scenario:#0067a3;--baseline:#6f7680;--seed:#b04a00;--beyond:#0067a3;--bad:#b3261e}
body{max-width:none;padding:0;font-size:10pt}nav,button,.skip,#tip{display:none}
.narrow,.wide{display:none}.medium{display:block}
h2{margin-top:28px}h2,h3,caption,summary{break-after:avoid}svg,tr,.alerts li{break-inside:avoid}
thead{display:table-header-group}.scroll{overflow:visible;background:none}table{font-size:8pt}
th,td,th:first-child,td.t{padding-left:6px;white-space:normal;min-width:0}th:first-child,td.t{min-width:6em}
th:first-child{padding-left:0}
.hash{white-space:normal}
details:not(.long)::details-content{content-visibility:visible;display:block}a{color:inherit}}
`
