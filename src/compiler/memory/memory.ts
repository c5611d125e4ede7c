import type { Finding, Report } from '../finding.js'
import type { PlacedSource } from '../parse/sources.js'
import type { Spot, YamlNode } from '../parse/tree.js'
import { runOnManifest } from '../rules/run-rules.js'
import type { RuleSet, RuleContext } from '../rules/rule.js'
import { placeBack, readingAgain, type FileMemory, type FileReading } from './entries.js'
import { createJudgements } from './judgements.js'
import { createReadings } from './readings.js'

/** What one check leaves for the next. */
export type Memory = ReturnType<typeof createMemory>

export function createMemory() {
  const files = new Map<string, FileMemory>()
  const readings = createReadings()
  const judgements = createJudgements()
  return {
    /** Checks other texts of the same files; afterwards the texts and nodes of these are kept as they were. */
    aside<Answer>(check: () => Answer): Answer {
      const before = new Map(files)
      try {
        return check()
      } finally {
        files.clear()
        for (const [name, file] of before) {
          files.set(name, file)
          placeBack(file)
        }
      }
    },
    /** Starts a check. */
    begin() {
      const open: { readonly name: string; readonly reading: FileReading }[] = []
      let kept: readonly Spanning[] = []
      let nodes: ReadonlySet<YamlNode> = new Set()
      return {
        /** For the reader of a file. */
        entriesOf({ file, text, base }: PlacedSource): FileReading {
          const name = `${open.length} ${file}`
          const reading = readingAgain(files.get(name), text, base)
          open.push({ name, reading })
          return reading
        },
        /** Keeps what was read. A file that is not YAML now keeps what it was before. */
        haveRead(roots: readonly (YamlNode | undefined)[]): void {
          const fresh = open.filter(
            ({ reading }, index) =>
              reading.root() !== undefined && reading.root() === roots[index] && reading.kept().entries.length > 0,
          )
          for (const { name, reading } of fresh) files.set(name, reading.kept())
          for (const name of files.keys()) if (!open.some((each) => each.name === name)) files.delete(name)
          kept = fresh.flatMap(({ reading }) => reading.kept().entries).map(({ key, value }) => ({ key, value }))
          nodes = new Set(kept.map(({ value }) => value))
        },
        /** For the reader of capabilities. */
        readAgain: (findings: Finding[]) => readings(findings, (node) => nodes.has(node)),
        runRules(rules: RuleSet, whole: RuleContext, report: Report): void {
          runOnManifest(rules, whole, report)
          judgements(rules.all(), whole, (spot) => spanAround(kept, spot)?.key, report)
        },
      }
    },
  }
}

interface Spanning {
  readonly key: YamlNode
  readonly value: YamlNode
}

function spanAround(spans: readonly Spanning[], { start, end }: Spot): Spanning | undefined {
  let low = 0
  let high = spans.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (spans[middle]!.key.start <= start) low = middle
    else high = middle - 1
  }
  const span = spans[low]
  return span !== undefined && span.key.start <= start && end <= Math.max(span.value.end, span.key.end)
    ? span
    : undefined
}
