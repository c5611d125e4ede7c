/** The page of what is played on which surface. */
import type { Scenario } from './scenario.js'
import type { Surface } from './surfaces.js'

const HEAD = `# What holds on every surface

One suite plays each scenario on each surface, against a running service and with the real packages: \`npm test -- surfaces\`.
A number says why a scenario is not played there. This page is written by the suite (\`UPDATE=1\`).
`

type Groups = { readonly [title: string]: readonly Scenario[] }

export function tableOf(groups: Groups, surfaces: readonly Surface[]): string {
  const reasons = [...new Set(Object.values(groups).flat().flatMap(({ notOn = {} }) => Object.values(notOn)))] // prettier-ignore
  const cellOf = ({ notOn = {} }: Scenario, surface: Surface): string =>
    notOn[surface] === undefined ? '✓' : `(${reasons.indexOf(notOn[surface]) + 1})`
  const tables = Object.entries(groups).map(([title, scenarios]) => {
    const rows = scenarios.map((each) => [each.name, ...surfaces.map((surface) => cellOf(each, surface))])
    return `## ${title}\n\n${grid([['scenario', ...surfaces], ...rows])}\n`
  })
  const notes = reasons.map((reason, index) => `${index + 1}. ${reason}`).join('\n')
  return [HEAD, ...tables, `## Why not\n\n${notes}\n`].join('\n')
}

/** As the formatter of this repository aligns tables. */
function grid(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`)
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}
