/** Reason why an upstream MCP server is not confined, by its pinned file. */
export interface Unconfined {
  readonly name: string
  readonly reason: string
}

/** Servers of this process that nothing confines, by their names. */
const known = new Map<string, Unconfined>()

/** Remembers a server that nothing confines: a service reports it at its start. */
export const noteUnconfined = (server: Unconfined): void => void known.set(server.name, server)

export const unconfinedServers = (): readonly Unconfined[] => [...known.values()]
