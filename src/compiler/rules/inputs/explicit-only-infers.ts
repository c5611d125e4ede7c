import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { members, none, says, when } from '../schema-part.js'

const INFERRING = new Set(['use_actor_scope', 'app_select_or_clarify'])

export const explicitOnlyInfers = {
  code: 'SVC2409',
  slug: 'explicit-only-infers',
  severity: 'error',
  source: 'D',
  section: '2.6',
  description: '`explicit_only` infers nothing.',
  schema: {
    resolution: when(says({ mode: 'explicit_only' }), members({ on_missing: none({ enum: [...INFERRING] }) })),
  },
  needs: 'resolution',
  ofInput({ input: { resolution } }, report) {
    const missing = resolution?.on_missing
    if (resolution?.mode !== 'explicit_only' || missing === undefined || !INFERRING.has(missing)) return
    report(at(resolution, 'on_missing'), `\`explicit_only\` forbids inference, but \`on_missing: ${missing}\` infers.`)
  },
} satisfies Rule
