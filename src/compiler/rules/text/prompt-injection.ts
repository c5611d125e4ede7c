import { textsOf } from '../facts/texts.js'
import { at } from '../../shape/view.js'
import type { Span } from '../../parse/tree.js'
import type { Rule, RuleReport } from '../rule.js'

export const AGENT_COMMANDS =
  /\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+|the\s+|your\s+)*(?:previous|prior|above|earlier|other)\s+(?:instructions?|rules?|prompts?)|\byou\s+(?:must|should)\s+(?:always|never|first|now)\b|\bsystem\s+prompt\b|\bdo\s+not\s+(?:tell|inform|ask)\s+the\s+user\b|<\/?(?:system|assistant|instructions?)>/i

/** Every command holds one of these, and few descriptions do. */
const SIGNS = ['instruction', 'rule', 'prompt', 'must', 'should', 'user', '<']

export const promptInjection = {
  code: 'SVC5104',
  slug: 'prompt-injection',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'Text describes, and does not command the agent that reads it.',
  why: 'Descriptions reach the model as they are.',
  ofManifest({ manifest: { service_identity: identity } }, report) {
    for (const field of ['name', 'description'] as const) {
      const text = identity?.[field]
      if (text !== undefined) reportCommand(text, at(identity!, field), report)
    }
  },
  ofCapability({ capability }, report) {
    for (const { text, span } of textsOf(capability)) reportCommand(text, span, report)
  },
} satisfies Rule

function reportCommand(text: string, span: Span, report: RuleReport): void {
  const lower = text.toLowerCase()
  if (!SIGNS.some((sign) => lower.includes(sign))) return
  const command = AGENT_COMMANDS.exec(text)?.[0]
  if (command !== undefined)
    report(span, `The text instructs the agent ("${command}"); describe, and leave commands out.`)
}
