/** What the callers of the races do. */
import type { Reading, Reply, World } from './world.js'

export interface Issued {
  readonly token: string
  readonly token_id: string
}

/** A root token of ana that may do everything here. */
export const root = async (world: World, body: object = {}, replica = 0): Promise<Issued> =>
  issued(await world.post(replica, '/svc/tokens', 'ana-key', { scope: ['act'], ...body }))

export const child = async (world: World, parent: Issued, body: object = {}, replica = 0): Promise<Issued> =>
  issued(
    await world.post(replica, '/svc/tokens', parent.token, {
      scope: ['act'],
      parent_token: parent.token_id,
      subject: 'agent:helper',
      ...body,
    }),
  )

function issued({ status, body }: Reply): Issued {
  if (status !== 200) throw new Error(`No token was issued: ${JSON.stringify(body)}`)
  return { token: body['token']!, token_id: body['token_id']! }
}

export const invoke = (
  world: World,
  replica: number,
  capability: string,
  { token }: Issued,
  body: object = {},
  headers: object = {},
): Promise<Reply> => world.post(replica, `/svc/invoke/${capability}`, token, { parameters: {}, ...body }, headers)

/** Invokes so often at once, over all replicas in turn. */
export const invokeAtOnce = (
  world: World,
  times: number,
  capability: string,
  token: Issued | ((n: number) => Issued),
  body: (n: number) => object = () => ({}),
): Promise<readonly Reply[]> =>
  Promise.all(
    Array.from({ length: times }, (_, n) =>
      invoke(world, n, capability, typeof token === 'function' ? token(n) : token, body(n)),
    ),
  )

/** Asks for an approval of `refund`, and gives the id of the request. */
export async function askForApproval(world: World, token: Issued, note: string): Promise<string> {
  const { body } = await invoke(world, 0, 'refund', token, { parameters: { note } })
  const id = body['failure']?.['approval_request_id']
  if (id === undefined) throw new Error(`No approval was asked for: ${JSON.stringify(body)}`)
  return id
}

export const approve = (world: World, replica: number, approval_request_id: string, body: object): Promise<Reply> =>
  world.post(replica, '/svc/approval_grants', 'bob-key', { approval_request_id, ...body })

export const successes = (replies: readonly Reply[]): readonly Reply[] =>
  replies.filter(({ body }) => body['success'] === true)

/** How often each failure type was answered. */
export function failures(replies: readonly Reply[]): { readonly [type: string]: number } {
  const counted: { [type: string]: number } = {}
  for (const { body } of replies) {
    const type = body['failure']?.['type'] as string | undefined
    if (type !== undefined) counted[type] = (counted[type] ?? 0) + 1
  }
  return counted
}

/** How many of these replies' invocations have a line among the effects. */
export async function effectsOf(world: World, replies: readonly Reply[]): Promise<number> {
  const done = new Set((await world.effects()).map((line) => line.split(' ')[1]))
  return replies.filter(({ body }) => done.has(body['invocation_id'])).length
}

/** The whole trail of ana, oldest first. */
export async function trail(world: World): Promise<readonly Reading[]> {
  const { token } = await root(world)
  const entries: Reading[] = []
  let cursor = ''
  for (;;) {
    const { body } = await world.post(0, `/svc/audit?limit=1000${cursor}`, token)
    entries.push(...(body['entries'] as readonly Reading[]))
    if (body['next_cursor'] === undefined) return entries.reverse()
    cursor = `&cursor=${encodeURIComponent(body['next_cursor'] as string)}`
  }
}
