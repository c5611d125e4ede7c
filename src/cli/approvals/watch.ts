import { setTimeout as sleep } from 'node:timers/promises'
import type { ApprovalRequest } from '../../protocol/approval.js'
import type { ExitCode } from '../shared/errors/cli-error.js'
import { print } from '../shared/output/print.js'
import { requestLine } from './run.js'
import { reached, serviceAt, showFailure, type ConnectionOptions } from '../service/connection.js'
import { untilBack } from '../service/until-back.js'

export interface WatchOptions extends ConnectionOptions {
  readonly capability?: string
}

const EVERY_MS = 1000
const MOST = 1000

/** `svc approvals watch`: a line for each request that waits, and one when it does no longer. */
export async function watchApprovals({ capability, ...options }: WatchOptions): Promise<ExitCode> {
  const { approvals } = serviceAt(options)
  const filter = { status: 'pending', limit: MOST, ...(capability !== undefined && { capability }) } as const
  const say = (request: ApprovalRequest): void =>
    print(options.json === true ? `${JSON.stringify(request)}\n` : `${requestLine(request)}\n`)
  const list = () => approvals.list(filter)
  let waiting: Set<string> | undefined
  for (;;) {
    const answer = await (waiting === undefined ? reached(list()) : untilBack(list))
    if (!answer.success) return showFailure(answer.failure, options.json === true)
    const { approval_requests: pending } = answer.result
    const now = new Set(pending.map(({ approval_request_id }) => approval_request_id))
    for (const request of pending.toReversed()) if (waiting?.has(request.approval_request_id) !== true) say(request)
    for (const id of waiting ?? []) if (!now.has(id)) await sayWhatBecame(approvals, id, say)
    waiting = now
    await sleep(EVERY_MS)
  }
}

async function sayWhatBecame(
  approvals: ReturnType<typeof serviceAt>['approvals'],
  id: string,
  say: (request: ApprovalRequest) => void,
): Promise<void> {
  const answer = await untilBack(() => approvals.read(id))
  if (answer.success) say(answer.result)
}
