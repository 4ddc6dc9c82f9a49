/** How drawings and their grids look; the colours are those of the page. */
export const CHART_STYLE = `
.multiples{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,290px),1fr));gap:20px 36px;margin:10px 0 18px}
.chart{width:100%;max-width:400px}
.map .chart{width:auto;max-width:none}
svg.chart text,svg.chart .label,svg.chart .note{font-size:12px}
svg.chart .outcome{font-size:13px}
.maps{display:flex;flex-wrap:wrap;gap:16px 36px}
.halo{paint-order:stroke;stroke:var(--surface);stroke-width:3px;stroke-linejoin:round}
.chart .mark-scenario{fill:var(--surface);stroke:var(--baseline);stroke-width:1.5}
.chart .band-ends,.icon .band-ends{stroke:var(--scenario);stroke-width:1.2;fill:none}
.chart .mark-scenario.beyond{fill:var(--beyond);stroke:var(--beyond)}
.chart .mark-baseline,.icon .mark-baseline{fill:none;stroke-width:1.5}
.chart .line,.icon .line{stroke-dasharray:5 3}
.curve{fill:none;stroke:var(--baseline);stroke-width:1.2}
.bar-baseline{fill:var(--surface);stroke:var(--baseline)}
.bar-scenario{fill:var(--scenario);stroke:var(--scenario)}
.area-baseline{fill:var(--line);stroke:var(--baseline);stroke-width:1}
.step-scenario{fill:none;stroke:var(--scenario);stroke-width:1.8}
.whisker{stroke:var(--baseline)}.whisker.scenario{stroke:var(--scenario)}
.median{stroke:var(--ink);stroke-width:2}
.band{fill:var(--line)}
.cell{fill:var(--scenario);stroke:none}
.heat0{fill-opacity:.04}.heat1{fill-opacity:.1}.heat2{fill-opacity:.17}.heat3{fill-opacity:.25}
.cell.short{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:4 3}
.cell.none{fill:none;stroke:var(--line);stroke-width:1}
svg.chart .bad{fill:var(--bad)}
svg.chart .strong{font-weight:700}
@media print{.multiples{grid-template-columns:repeat(3,1fr)}}
`
