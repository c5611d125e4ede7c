import { escapedXml } from '../../compiler/report/xml-text.js'
import { printable } from '../shared/output/printable.js'
import type { TestCoverage } from './coverage.js'
import type { Result } from './run-case.js'

/** Result of a run of cases. */
export interface TestRun {
  readonly results: readonly Result[]
  readonly coverage: TestCoverage
  readonly ms: number
}

export const failedOf = ({ results }: TestRun): readonly Result[] =>
  results.filter(({ problems }) => problems.length > 0)

/** The rules that are named one by one. */
const NAMED = 20

export function textOfRun(run: TestRun): string {
  const { results, coverage, ms } = run
  const lines = failedOf(run).flatMap(({ case: { name, place }, problems }) => [
    `FAIL ${place} ${printable(name)}`,
    ...problems.map((problem) => `     ${printable(problem)}`),
  ])
  const failed = failedOf(run).length
  const named = coverage.missing.slice(0, NAMED)
  const more = coverage.missing.length - named.length
  const missing =
    named.length === 0
      ? []
      : ['Not tested:', ...named.map((rule) => `  ${rule}`), ...(more > 0 ? [`  and ${more} more`] : [])]
  return [
    ...lines,
    ...missing,
    `${results.length} ${results.length === 1 ? 'case' : 'cases'}, ${failed} failed; ${coverage.tested} ` +
      `of ${coverage.rules} rules tested (${percentOf(coverage)} %), in ${ms} ms.`,
    '',
  ].join('\n')
}

/** Rounded down: all is only all. */
export const percentOf = ({ rules, tested }: TestCoverage): number =>
  rules === 0 ? 100 : Math.floor((tested * 100) / rules)

/** The cases as JUnit XML, a suite for each file. */
export function junitOfRun(run: TestRun): string {
  const { results } = run
  const files = [...new Set(results.map(({ case: { place } }) => fileOf(place)))]
  const suites = files.map((file) => {
    const of = results.filter(({ case: { place } }) => fileOf(place) === file)
    const failures = of.filter(({ problems }) => problems.length > 0).length
    return (
      `  <testsuite name="${escapedXml(file)}" tests="${of.length}" failures="${failures}" errors="0" ` +
      `skipped="0">\n${of.map(testcase).join('')}  </testsuite>\n`
    )
  })
  const failures = failedOf(run).length
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="svc test" tests="${results.length}" ` +
    `failures="${failures}" errors="0">\n${suites.join('')}</testsuites>\n`
  )
}

const fileOf = (place: string): string => place.slice(0, place.lastIndexOf(':'))

function testcase({ case: { name, place }, problems }: Result): string {
  const text = problems.join('\n')
  const body =
    problems.length === 0
      ? ''
      : `<failure message="${escapedXml(text)}" type="expectation">${escapedXml(`${place}\n${text}`)}</failure>`
  return (
    `    <testcase name="${escapedXml(name)}" classname="${escapedXml(fileOf(place))}" ` +
    `time="0">${body}</testcase>\n`
  )
}
