/** A service over stdio in this process, and the transport by which a client of either era speaks to it: lines on two streams. */
import { PassThrough } from 'node:stream'
import { createInterface } from 'node:readline'
import type { Service } from '../../src/runtime/service.js'
import type { McpOptions } from '../../src/runtime/surfaces/mcp/index.js'
import { mcpOverStdio, type TokenPlace } from '../../src/runtime/surfaces/mcp/stdio.js'

export interface Lines {
  onmessage?: (message: never) => void
  onclose?: () => void
  readonly start: () => Promise<void>
  readonly send: (message: unknown) => Promise<void>
  /** Sends a line as it is. */
  readonly raw: (line: string) => void
  readonly close: () => Promise<void>
}

/** Every message that the client sends is passed to `onSend`, too, and every line that it receives to `onReceive`. */
export function lineTransport(
  service: Service,
  options: McpOptions,
  place: TokenPlace,
  onSend: (message: unknown) => void = () => undefined,
  onReceive: (line: string) => void = () => undefined,
): Lines {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const over = mcpOverStdio(service, options, place, input, output)
  const transport: Lines = {
    start: async () => {
      createInterface({ input: output }).on('line', (line) => {
        onReceive(line)
        transport.onmessage?.(JSON.parse(line) as never)
      })
    },
    send: async (message) => {
      onSend(message)
      input.write(`${JSON.stringify(message)}\n`)
    },
    raw: (line) => void input.write(`${line}\n`),
    close: async () => {
      input.end()
      await over
      transport.onclose?.()
    },
  }
  return transport
}
