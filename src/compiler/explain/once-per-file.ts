import type { Finding } from '../finding.js'
import type { SourceMap } from '../parse/sources.js'
import { ruleOf } from '../rules/index.js'
import type { Step } from './step.js'

/** Of a rule whose findings in a file have one remedy, reports the first, and how many more there are. */
export const oncePerFile: Step = (findings, { read: { placed } }) => {
  const groups = new Map<string, Finding[]>()
  for (const finding of findings.filter(isOncePerFile)) {
    const key = keyOf(finding, placed)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [finding])
    else group.push(finding)
  }
  const first = new Map([...groups.values()].map((group) => [group[0], counted(group)]))
  return findings.flatMap((each) => (isOncePerFile(each) ? (first.get(each) ?? []) : each))
}

const isOncePerFile = ({ code }: Finding): boolean => ruleOf(code).role?.isOncePerFile === true

const keyOf = ({ code, span }: Finding, sources: SourceMap): string => `${code} ${sources.fileAt(span.start).base}`

function counted(group: readonly Finding[]): Finding {
  const [first] = group as readonly [Finding]
  const more = group.length - 1
  if (more === 0) return first
  return { ...first, message: `${first.message} There ${more === 1 ? 'is 1 more' : `are ${more} more`} in this file.` }
}
