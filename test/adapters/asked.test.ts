import { expect, it } from 'vitest'
import { askedRequest } from '../../src/adapters/asked.js'
import type { ToolClient } from '../../src/adapters/options.js'
import type { Tool } from '../../src/protocol/tools.js'

const tool = { name: 'book', capability: 'book' } as Tool

/** A trail with these requests, newest first, of which one is the caller's own. */
const clientOf = (ids: readonly (string | null)[]): ToolClient =>
  ({
    audit: async () => ({
      success: true,
      result: { entries: ids.map((approval_request_id) => ({ approval_request_id })) },
    }),
    approvals: {
      read: async (id: string) =>
        id === 'apr_mine'
          ? { success: true, result: { approval_request_id: id } }
          : { success: false, failure: { type: 'approval_request_not_found' } },
    },
  }) as unknown as ToolClient

it.each([
  [['apr_mine'], { approval_request_id: 'apr_mine' }],
  [['apr_of_a_sibling', 'apr_mine'], { approval_request_id: 'apr_mine' }],
  [[null, 'apr_mine'], { approval_request_id: 'apr_mine' }],
  [['apr_of_a_sibling'], undefined],
  [[], undefined],
])('finds the own request among %j', async (ids, result) => {
  const found = await askedRequest({ client: clientOf(ids), options: {} }, { tool, callId: 'call_1' })
  expect(found).toEqual({ success: true, result })
})

it('gives a failure of the service on: whether the tool call asked already is not known then', async () => {
  const away = { success: false, failure: { type: 'service_unavailable' } } as const
  const client = {
    ...clientOf(['apr_1', 'apr_mine']),
    approvals: { read: async (id: string) => (id === 'apr_1' ? away : { success: true, result: {} }) },
  } as unknown as ToolClient
  expect(await askedRequest({ client, options: {} }, { tool, callId: 'call_1' })).toEqual(away)
})
