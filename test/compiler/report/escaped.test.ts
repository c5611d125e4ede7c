/** What a manifest or the name of a file says, stands in each report as text, and is nothing to whoever reads it. */
import { describe, expect, it } from 'vitest'
import { markdownDiff } from '../../../src/compiler/diff/report/markdown.js'
import type { DiffRun } from '../../../src/compiler/diff/report/run.js'
import { textDiff } from '../../../src/compiler/diff/report/text.js'
import type { Diagnostic } from '../../../src/compiler/diagnostics.js'
import { fingerprintsOf } from '../../../src/compiler/report/fingerprint.js'
import { githubReport } from '../../../src/compiler/report/github.js'
import { gitlabReport } from '../../../src/compiler/report/gitlab.js'
import { junitReport } from '../../../src/compiler/report/junit.js'
import { sarifReport } from '../../../src/compiler/report/sarif.js'
import { textReport } from '../../../src/compiler/report/text.js'
import type { CheckedRun } from '../../../src/compiler/report/run.js'
import { junitOfRun, textOfRun } from '../../../src/cli/test/report.js'

const range = {
  start: { line: 2, column: 1, offset: 3 },
  end: { line: 2, column: 3, offset: 5 },
}
const found = (more: Partial<Diagnostic>): Diagnostic => ({
  code: 'SVC2001', slug: 'a-slug', severity: 'error', message: 'm', path: 'a', file: 'svc.yaml', range, related: [], docs: '', ...more,
}) // prettier-ignore
const runOf = (...diagnostics: readonly Diagnostic[]): CheckedRun => ({
  sources: [...new Set(diagnostics.map(({ file }) => file))].map((file) => ({ file, text: 'a\u001b\nbc\u202e\n' })),
  diagnostics,
})

describe('a report', () => {
  it('for GitHub has one command a line, and no property more', () => {
    const hostile = found({ file: 'a,line=9:b%.yaml', message: '100%\r\n::set-output name=a::b' })
    expect(githubReport(runOf(hostile))).toBe(
      '::error file=a%2Cline=9%3Ab%25.yaml,line=2,endLine=2,col=1,endColumn=3,title=SVC2001 a-slug::100%25%0D%0A::set-output name=a::b\n',
    )
  })

  it.each([
    [10, 0, 10, undefined],
    [11, 0, 9, '2 more findings are not shown here; run svc validate to see all 11.'],
    [10, 11, 9, '2 more findings are not shown here; run svc validate to see all 21.'],
    [3, 11, 3, '1 more findings are not shown here; run svc validate to see all 14.'],
  ])('for GitHub of %i notes and %i warnings has %i of the notes, and a last one of the rest', (infos, warnings, shown, rest) => {
    const notes = Array.from({ length: infos }, () => found({ severity: 'info' }))
    const run = runOf(...Array.from({ length: warnings }, () => found({ severity: 'warning' })), ...notes)
    const lines = githubReport(run).split('\n').slice(0, -1)
    const told = rest === undefined ? lines : lines.slice(0, -1)
    expect(told.filter((line) => line.startsWith('::notice ')).length).toBe(shown)
    expect(told.filter((line) => line.startsWith('::warning ')).length).toBe(Math.min(10, warnings))
    if (rest !== undefined) expect(lines.at(-1)).toBe(`::notice title=svc validate::${rest}`)
  }) // prettier-ignore

  it('in JUnit XML has no markup of others, whether it fails or not', () => {
    const hostile = { file: 'a"<&>.yaml', message: '</failure>"\u001f&\nx' }
    const xml = junitReport(runOf(found(hostile), found({ ...hostile, severity: 'warning' })))
    const [name, text] = ['a&quot;&lt;&amp;&gt;.yaml', '&lt;/failure&gt;&quot;\uFFFD&amp;&#10;x']
    expect(xml.split('\n').slice(1, -1)).toEqual([
      '<testsuites name="svc validate" tests="2" failures="1" errors="0">',
      `  <testsuite name="${name}" tests="2" failures="1" errors="0" skipped="0" time="0">`,
      `    <testcase name="SVC2001 a-slug 2:1" classname="${name}" time="0"><failure message="${text}" type="SVC2001">${name}:2:1&#10;${text}</failure></testcase>`,
      `    <testcase name="SVC2001 a-slug 2:1" classname="${name}" time="0"><system-out>warning ${name}:2:1&#10;${text}</system-out></testcase>`,
      '  </testsuite>',
      '</testsuites>',
    ])
  })

  it('in SARIF has references that lead where the file is, and says what a fix takes', () => {
    const fix = [{ file: './a b/100%#?.yaml', range, newText: 'x' }]
    const one = found({ file: './a b/100%#?.yaml', fix, related: [{ file: 'b\\c.yaml', range, message: 'see' }] })
    const sarif = sarifReport(runOf(one, { ...one, isGuess: true }), '1.0.0', () => undefined, 'svc-validate/')
    const { runs } = JSON.parse(sarif) as { readonly runs: readonly { readonly results: readonly Result[] }[] }
    const [sure, guess] = runs[0]!.results
    expect(sure!.locations[0]!.physicalLocation.artifactLocation.uri).toBe('a%20b/100%25%23%3F.yaml')
    expect(sure!.relatedLocations[0]!.physicalLocation.artifactLocation.uri).toBe('b/c.yaml')
    expect(sure!.fixes[0]!.artifactChanges[0]!.artifactLocation.uri).toBe('a%20b/100%25%23%3F.yaml')
    expect([sure, guess].map((each) => each!.fixes[0]!.description.text)).toEqual([
      'What svc validate --fix writes.',
      'What svc validate --fix --unsafe-fixes writes.',
    ])
  })

  it('for a terminal has no character that acts on it: file, message, lines, other places, what to write', () => {
    const evil = '\u001b[31m\u009b\u202e\u2028'
    const hostile = found({ file: `a${evil}.yaml`, message: `m${evil}`, suggestion: `s${evil}`, related: [{ file: `b${evil}.yaml`, range, message: `r${evil}` }] }) // prettier-ignore
    const fixed = found({ file: 'f.yaml', fix: [{ file: 'f.yaml', range, newText: `n${evil}` }] })
    expect(textReport(runOf(hostile, fixed), { color: false, summaryOnly: false })).not.toMatch(/[^\n\P{C}]|[\u2028\u2029]/u) // prettier-ignore
  })

  it('for GitLab names a file from the root', () => {
    expect(JSON.parse(gitlabReport(runOf(found({ file: './a.yaml' }))))[0].location.path).toBe('a.yaml')
  })
})

interface Placed {
  readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } }
}
interface Result {
  readonly locations: readonly Placed[]
  readonly relatedLocations: readonly Placed[]
  readonly fixes: readonly {
    readonly description: { readonly text: string }
    readonly artifactChanges: readonly { readonly artifactLocation: { readonly uri: string } }[]
  }[]
}

it('a finding is known again by its code, file, place and message, and by how many were alike before', () => {
  const all = [
    found({}),
    found({}),
    found({ code: 'SVC2002' }),
    found({ file: 'b.yaml' }),
    found({ path: 'b' }),
    found({ message: 'n' }),
  ]
  expect(new Set(fingerprintsOf(all)).size).toBe(6)
  const moved = { start: { line: 9, column: 9, offset: 99 }, end: { line: 9, column: 9, offset: 99 } }
  const known = fingerprintsOf([found({ message: 'has 3 of 5' })])
  expect(fingerprintsOf([found({ message: 'has 14 of 15', range: moved, severity: 'info' })])).toEqual(known)
})

describe('a comparison', () => {
  const run = {
    before: 'a|b',
    after: 'c`d',
    sources: [],
    failOn: ['breaking'],
    changes: [
      { code: 'SVC9011', slug: 's', effect: 'breaking', weakens: false, at: [], message: '@team [x](y) `|\n# \u202e', file: 'a|`.yaml', range, accepted: '<b>|`' },
    ],
  } as unknown as DiffRun // prettier-ignore

  it('in Markdown has what manifests say in code spans alone', () => {
    const lines = markdownDiff(run).split('\n')
    expect(lines[2]).toBe("`a\\|b` → `c'd`: 1 breaking, 1 accepted.")
    expect(lines.at(-2)).toBe("| SVC9011 | `@team [x](y) '\\| #  ` | `a\\|'.yaml:2` | accepted: `<b>\\|'` |")
  })

  it('for a terminal has no character that acts on it', () => {
    const evil = '\u001b[31m\u202e'
    const changes = run.changes.map((change) => ({ ...change, file: evil, message: evil, accepted: evil, old: { file: evil, range } })) // prettier-ignore
    expect(textDiff({ ...run, changes }, false)).not.toMatch(/[^\n\P{C}]/u)
  })
})

it('a run of policy tests has no markup and nothing for the terminal from its cases', () => {
  const results = [{ case: { name: 'n"<\u001b', place: 'p<.yaml:3' }, problems: ['"<&\u001b'] }]
  const of = { results, coverage: { rules: 1, tested: 1, missing: [] }, ms: 1 } as never
  expect(junitOfRun(of).split('\n')[3]).toBe(
    '    <testcase name="n&quot;&lt;\uFFFD" classname="p&lt;.yaml" time="0"><failure message="&quot;&lt;&amp;\uFFFD" type="expectation">p&lt;.yaml:3&#10;&quot;&lt;&amp;\uFFFD</failure></testcase>',
  )
  expect(textOfRun(of).split('\n').slice(0, 2)).toEqual(['FAIL p<.yaml:3 n"<\\u001b', '     "<&\\u001b'])
})
