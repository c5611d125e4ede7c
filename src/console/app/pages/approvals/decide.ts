import type { ApprovalGrant, ApprovalRequest } from '../../../../protocol/approval.js'
import { post, type Asked } from '../../ask.js'

/** Terms of a grant. */
export type Terms =
  | { readonly grant_type: 'one_time' }
  | { readonly grant_type: 'session_bound'; readonly session_id: string; readonly max_uses: number; readonly expires_in_seconds: number } // prettier-ignore

const withReason = (reason: string): object => (reason.trim() === '' ? {} : { reason: reason.trim() })

export const approve = (id: string, terms: Terms, reason: string): Promise<Asked<ApprovalGrant>> =>
  post(`/approvals/${id}/approve`, { ...terms, ...withReason(reason) })

export const deny = (id: string, reason: string): Promise<Asked<ApprovalRequest>> =>
  post(`/approvals/${id}/deny`, withReason(reason))

export const sendBack = (id: string, question: string): Promise<Asked<ApprovalRequest>> =>
  post(`/approvals/${id}/deny`, { reason: question, holds: false })
