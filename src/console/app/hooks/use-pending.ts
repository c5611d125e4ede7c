import { useEffect, useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../../protocol/approval.js'
import { get } from '../ask.js'

/** Pending requests, as last loaded. */
export interface Pending {
  readonly requests: readonly ApprovalRequest[]
  readonly link: 'live' | 'lost' | 'signed out'
  /** Reads it again at once. */
  readonly read: () => void
}

const EVERY_MS = 2000
const HIDDEN_MS = 15_000

type List = { readonly approval_requests: readonly ApprovalRequest[] }

/** Reads what waits every two seconds, those that end first on top. Not a use of the session. */
export function usePending(mayApprove: readonly string[]): Pending {
  const [requests, setRequests] = useState<readonly ApprovalRequest[]>([])
  const [link, setLink] = useState<Pending['link']>('live')
  const [round, setRound] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isOver = false
    const read = async (): Promise<void> => {
      const list = await get<List>('/approvals?status=pending&limit=200')
      if (isOver) return
      if (list.ok) setRequests(forMe(list.value.approval_requests, mayApprove))
      setLink(list.ok ? 'live' : list.trouble.type === 'authentication_required' ? 'signed out' : 'lost')
      timer = setTimeout(() => void read(), document.hidden ? HIDDEN_MS : EVERY_MS)
    }
    void read()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [round])
  return { requests, link, read: () => setRound((last) => last + 1) }
}

const forMe = (all: readonly ApprovalRequest[], mayApprove: readonly string[]): readonly ApprovalRequest[] =>
  all
    .filter(({ capability }) => mayApprove.includes(capability))
    .sort((one, other) => one.expires_at.localeCompare(other.expires_at))
