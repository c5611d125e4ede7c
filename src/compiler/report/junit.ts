import type { Diagnostic } from '../diagnostics.js'
import { failsRun, shown, type CheckedRun } from './run.js'
import { escapedXml } from './xml-text.js'

/**
 * The findings as JUnit XML: a suite for each file, a failed case for each finding that fails the run, a passed one
 * with output for the rest. A finding may stand in a file that is no manifest, as a baseline.
 */
export function junitReport(run: CheckedRun): string {
  const found = shown(run)
  const files = [...new Set([...run.sources, ...found].map(({ file }) => file))]
  const suites = files.map((file) => suiteOf(file, found, run))
  const sum = (of: (suite: Suite) => number): number => suites.reduce((total, suite) => total + of(suite), 0)
  const tests = sum((suite) => suite.tests)
  const failures = sum((suite) => suite.failures)
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="svc validate" tests="${tests}" ` +
    `failures="${failures}" errors="0">\n${suites.map(({ text }) => text).join('')}</testsuites>\n`
  )
}

interface Suite {
  readonly tests: number
  readonly failures: number
  readonly text: string
}

function suiteOf(file: string, all: readonly Diagnostic[], { failOn }: CheckedRun): Suite {
  const found = all.filter((each) => each.file === file)
  const failures = found.filter((each) => failsRun(each, failOn)).length
  const tests = Math.max(1, found.length)
  const cases =
    found.length === 0
      ? `    <testcase name="no problems" classname="${escapedXml(file)}" time="0"/>\n`
      : found.map((each) => testcase(each, failsRun(each, failOn))).join('')
  const text =
    `  <testsuite name="${escapedXml(file)}" tests="${tests}" failures="${failures}" errors="0" skipped="0" ` +
    `time="0">\n${cases}  </testsuite>\n`
  return { tests, failures, text }
}

function testcase({ code, slug, severity, message, file, range: { start } }: Diagnostic, isFailure: boolean): string {
  const place = `${file}:${start.line}:${start.column}`
  const body = isFailure
    ? `<failure message="${escapedXml(message)}" type="${code}">${escapedXml(`${place}\n${message}`)}</failure>`
    : `<system-out>${escapedXml(`${severity} ${place}\n${message}`)}</system-out>`
  return (
    `    <testcase name="${escapedXml(`${code} ${slug} ${start.line}:${start.column}`)}" ` +
    `classname="${escapedXml(file)}" ` +
    `time="0">${body}</testcase>\n`
  )
}
