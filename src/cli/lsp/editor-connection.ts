import type { Readable, Writable } from 'node:stream'
import { createConnection, ErrorCodes, type Connection, type WatchDog } from 'vscode-languageserver'
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageWriter,
} from 'vscode-languageserver-protocol/node'
import { wholeFrames } from './whole-frames.js'

/** The connection of the library over two streams. It ends no process: `end` takes whether an end was agreed. */
export function editorConnection(input: Readable, output: Writable, end: (isAgreed: boolean) => void): Connection {
  const writer = new StreamMessageWriter(output)
  const fault = (message: string): void => void refuse(writer, message)
  const frames = wholeFrames(fault)
  const reader = new StreamMessageReader(input.pipe(frames))
  // Nobody asks how long half a message waits; its timer would keep the process alive.
  reader.partialMessageTimeout = 0
  reader.onError((error) => fault(error instanceof SyntaxError ? 'The message is not JSON.' : error.message))
  frames.once('end', () => end(false))
  input.once('close', () => end(false))
  const watchDog: WatchDog = {
    shutdownReceived: false,
    initialize: () => undefined,
    exit: (code) => end(code === 0),
  }
  return createConnection((logger) => createProtocolConnection(reader, writer, logger), watchDog)
}

/** Answers an unreadable message, which has no id. */
async function refuse(writer: MessageWriter, message: string): Promise<void> {
  const answer = { jsonrpc: '2.0', id: null, error: { code: ErrorCodes.ParseError, message } }
  await writer.write(answer).catch(() => undefined)
}
