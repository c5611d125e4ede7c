import type { Client } from '@modelcontextprotocol/client'

/** Stands for the page of a list that no cursor leads to. */
export const FIRST_PAGE = ''

interface Asked {
  readonly method: string
  readonly params?: { readonly cursor?: string }
}

/** Takes any result. */
const ANY = { '~standard': { version: 1, vendor: 'svc-kit', validate: (value: unknown) => ({ value }) } } as const

/**
 * Leaves the judging of lists and results to this service: the schemas of the library refuse a whole list for one odd
 * tool, and the answer of a call that was carried out for one odd member.
 */
export function anyResults(client: Client): Client {
  const request = client.request.bind(client) as (...args: readonly unknown[]) => Promise<object>
  const lists = async ({ method, params }: Asked, options: unknown): Promise<object> => {
    const { cursor, ...others } = params ?? {}
    const asked = { method, params: cursor === FIRST_PAGE ? others : params }
    const result = (await request(asked, ANY, options)) as { readonly tools?: unknown }
    const tools = Array.isArray(result.tools)
      ? result.tools.filter((each) => typeof each === 'object' && each !== null)
      : []
    return { ...result, tools }
  }
  const asking = (asked: Asked, ...more: readonly unknown[]): Promise<object> =>
    asked.method === 'tools/list'
      ? lists(asked, more.at(-1))
      : asked.method === 'tools/call'
        ? request(asked, ANY, more.at(-1))
        : request(asked, ...more)
  return Object.assign(client, { request: asking as never })
}
