import type { Diagnostic } from '../diagnostics.js'
import { shown, type CheckedRun } from './run.js'

/** The findings as JUnit XML: a suite for each file, a failed case for each error, a passed one with output for the rest. */
export function junitReport(run: CheckedRun): string {
  const suites = run.sources.map(({ file }) =>
    suite(
      file,
      shown(run).filter((each) => each.file === file),
    ),
  )
  const failures = shown(run).filter(({ severity }) => severity === 'error').length
  const tests = run.sources.reduce(
    (sum, { file }) => sum + Math.max(1, shown(run).filter((each) => each.file === file).length),
    0,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="svc validate" tests="${tests}" failures="${failures}" errors="0">\n${suites.join('')}</testsuites>\n`
}

function suite(file: string, found: readonly Diagnostic[]): string {
  const failures = found.filter(({ severity }) => severity === 'error').length
  const cases =
    found.length === 0
      ? `    <testcase name="no problems" classname="${escaped(file)}" time="0"/>\n`
      : found.map(testcase).join('')
  return `  <testsuite name="${escaped(file)}" tests="${Math.max(1, found.length)}" failures="${failures}" errors="0" skipped="0" time="0">\n${cases}  </testsuite>\n`
}

function testcase({ code, slug, severity, message, file, range: { start } }: Diagnostic): string {
  const place = `${file}:${start.line}:${start.column}`
  const body =
    severity === 'error'
      ? `<failure message="${escaped(message)}" type="${code}">${escaped(`${place}\n${message}`)}</failure>`
      : `<system-out>${escaped(`${severity} ${place}\n${message}`)}</system-out>`
  return `    <testcase name="${escaped(`${code} ${slug} ${start.line}:${start.column}`)}" classname="${escaped(file)}" time="0">${body}</testcase>\n`
}

/** XML 1.0 has no way to write most control characters, so they become a replacement character. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;')
