import { toolNameOf } from '../../../protocol/tools.js'
import { ownerOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

/** Longest tool name that clients of models and of MCP accept. */
const LONGEST = 64

export const toolNameTooLong = {
  code: 'SVC6116',
  slug: 'tool-name-too-long',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'The name of a capability as a tool has at most 64 characters.',
  why: 'Agents are shown it with `__` for each dot, and most providers of models refuse a longer name of a tool.',
  ofCapability({ name, capability }, report) {
    const tool = toolNameOf(name)
    if (tool.length > LONGEST)
      report(
        ownerOf(capability),
        `As a tool it is \`${tool}\`, of ${tool.length} characters; most providers of models take at most ${LONGEST}.`,
      )
  },
} satisfies Rule
