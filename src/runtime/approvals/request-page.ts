import type { Service } from '../service.js'
import type { RequestFilter, StoredRequest } from '../storage/contract.js'

export interface RequestPage {
  readonly page: readonly StoredRequest[]
  /** The request after which to go on, where there are more. */
  readonly next_cursor: string | undefined
}

/** A page of approval requests: as many as were asked for, or as fit into a page of bytes (threat N28). */
export async function pageOfRequests({ storage }: Service, filter: RequestFilter): Promise<RequestPage> {
  const limit = await storage.approvals.fitting(filter)
  const found = await storage.approvals.list({ ...filter, limit: limit + 1 })
  const page = found.slice(0, limit)
  return { page, next_cursor: found.length > limit ? page.at(-1)?.approval_request_id : undefined }
}
