import type { Finding } from '../finding.js'
import { pathTo } from '../parse/path-to.js'
import type { ReadFiles } from '../shape/read-files.js'
import type { Step } from './step.js'

/** Says by names where each finding is in its document. */
export const withPaths: Step = (findings, { read }) => withPathsIn(findings, read)

export const withPathsIn = (
  findings: readonly Finding[],
  { roots, placed }: Pick<ReadFiles, 'roots' | 'placed'>,
): readonly Finding[] =>
  findings.map((finding) => {
    const { start } = finding.span
    return { path: pathTo(roots[placed.files.indexOf(placed.fileAt(start))], start), ...finding }
  })
