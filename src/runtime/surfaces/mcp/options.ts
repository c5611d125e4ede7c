/** How a service is offered to MCP clients. */
export interface McpOptions {
  /** The address that people and clients reach the service by; https unless it is a loopback address. */
  readonly publicUrl?: string
  /**
   * The page where a person decides about an approval request, by its id. Without it, a call that needs one is answered
   * at once.
   */
  readonly approvalUrl?: (approvalRequestId: string) => string
}
