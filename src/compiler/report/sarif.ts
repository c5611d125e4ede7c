import type { Diagnostic, Place, Range, Severity, TextEdit } from '../diagnostics.js'
import { RULES } from '../rules/index.js'
import type { Rule } from '../rules/rule.js'
import { maskOf } from './mask.js'
import { publicFix } from './public-fix.js'
import { fingerprintOf } from './fingerprint.js'
import { printedJson } from './printed-json.js'
import { shown, type CheckedRun } from './run.js'

const LEVEL = { error: 'error', warning: 'warning', info: 'note' } as const satisfies {
  readonly [severity in Severity]: string
}

/** Rule as described to tools that list rules. */
export type ListedRule = Pick<Rule, 'code' | 'slug' | 'description' | 'why' | 'severity' | 'section'>

/**
 * The findings as SARIF 2.1.0, for code scanning, which tells the runs of one upload apart by their category; by the
 * rules of `svc validate`, unless others are given.
 */
export function sarifReport(
  run: CheckedRun,
  version: string,
  pageOf: PageOf,
  category: string,
  rules: readonly ListedRule[] = RULES,
): string {
  const used = rules.filter((rule) => run.diagnostics.some(({ code }) => code === rule.code))
  const printOf = fingerprintOf(run.diagnostics)
  const driver = { name: 'svc', semanticVersion: version, rules: used.map((rule) => sarifRule(rule, pageOf)) }
  const mask = maskOf(run.sources, run.diagnostics)
  const results = shown(run).map((each) => ({
    ...sarifResult(each, used, printOf(each)),
    ...sarifFixes(publicFix(each, run, mask), each),
  }))
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver }, automationDetails: { id: category }, columnKind: 'utf16CodeUnits', results }],
  }
  return printedJson(log)
}

/** URI of a rule's page; undefined if it has none. */
export type PageOf = (slug: string) => string | undefined

const sarifRule = ({ code, slug, description, why, severity, section }: ListedRule, pageOf: PageOf) => ({
  id: code,
  name: slug,
  shortDescription: { text: description },
  fullDescription: { text: why === undefined ? description : `${description} ${why}` },
  help: { text: `Run \`svc explain ${code}\` for a bad and a good example.` },
  ...withPage(pageOf(slug)),
  defaultConfiguration: { level: LEVEL[severity] },
  ...(section === undefined ? {} : { properties: { section } }),
})

const withPage = (helpUri: string | undefined) => (helpUri === undefined ? {} : { helpUri })

const sarifResult = (diagnostic: Diagnostic, rules: readonly ListedRule[], print: string) => ({
  ruleId: diagnostic.code,
  ruleIndex: rules.findIndex(({ code }) => code === diagnostic.code),
  level: LEVEL[diagnostic.severity],
  message: { text: diagnostic.message },
  locations: [{ physicalLocation: physical(diagnostic), logicalLocations: [{ fullyQualifiedName: diagnostic.path }] }],
  ...(diagnostic.related.length === 0
    ? {}
    : {
        relatedLocations: diagnostic.related.map((each, id) => ({
          id: id + 1,
          message: { text: each.message },
          physicalLocation: physical(each),
        })),
      }),
  partialFingerprints: { 'svc/v1': print },
})

/** A fix for those who review: one change for each file. */
function sarifFixes(edits: readonly TextEdit[] | undefined, { isGuess }: Diagnostic) {
  if (edits === undefined) return {}
  const files = [...new Set(edits.map(({ file }) => file))]
  const artifactChanges = files.map((name) => ({
    artifactLocation: { uri: uriOf(name) },
    replacements: edits
      .filter(({ file }) => file === name)
      .map(({ range, newText }) => ({ deletedRegion: regionOf(range), insertedContent: { text: newText } })),
  }))
  const text = `What svc validate --fix${isGuess ? ' --unsafe-fixes' : ''} writes.`
  return { fixes: [{ description: { text }, artifactChanges }] }
}

const physical = ({ file, range }: Place) => ({ artifactLocation: { uri: uriOf(file) }, region: regionOf(range) })

const regionOf = ({ start, end }: Range) => ({
  startLine: start.line,
  startColumn: start.column,
  endLine: end.line,
  endColumn: end.column,
})

/** A relative reference: forward slashes, and no character that a URI must escape. */
const uriOf = (file: string): string =>
  file.replaceAll('\\', '/').replace(/^\.\//u, '').split('/').map(encodeURIComponent).join('/')
