import type { Reporter } from './reporter.js'

/** Console URL of an approval request; undefined if no console is served (decisions, section 10). */
export function approvalUrl({ pages }: Pick<Reporter, 'pages'>, requestId: string): { readonly approval_url?: string } {
  return pages.approval === undefined ? {} : { approval_url: pages.approval(requestId) }
}
