import { Readable } from 'node:stream'
import { MOST_BYTES } from './channel.js'
import { lineReader } from './line-reader.js'
import { marked, noAnswerTo } from './no-answer.js'
import type { HeardEvents } from './unasked.js'

/**
 * The events of a response, with large numbers marked, and at their end that the request was not answered: an answer
 * that came before counts. A stream whose events have ids is resumed instead. An event that is too long ends it.
 */
export const markedEvents = (
  body: ReadableStream<Uint8Array>,
  id: unknown,
  heard: HeardEvents,
): ReadableStream<Uint8Array> =>
  Readable.toWeb(Readable.from(eventsOf(body, id, heard), { objectMode: false })) as ReadableStream<Uint8Array>

async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  id: unknown,
  heard: HeardEvents,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let isResumable = false
  try {
    for await (const event of wholeEvents(body)) {
      isResumable ||= event.some((line) => line.startsWith('id:'))
      const [text, data] = markedEvent(event)
      if (!heard.hears(data, text.length)) throw new RangeError('The server sends too much unasked.')
      yield encoder.encode(text)
    }
  } catch (error) {
    // What broke off may be resumed; what is too long may not.
    isResumable &&= !(error instanceof RangeError)
  }
  if (isResumable || id === undefined) return
  heard.settles(id)
  yield encoder.encode(`data:${noAnswerTo(id)}\n\n`)
}

/** The lines of each event. */
async function* wholeEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<readonly string[]> {
  const linesOf = lineReader(MOST_BYTES)
  let event: string[] = []
  let length = 0
  for await (const chunk of body) {
    const { lines, isTooLong } = linesOf(chunk)
    for (const line of lines.map((each) => each.replace(/\r$/u, ''))) {
      event.push(line)
      length += line.length
      if (line !== '') continue
      yield event
      event = []
      length = 0
    }
    if (isTooLong || length > MOST_BYTES) throw new RangeError('An event is too long.')
  }
}

const DATA = /^data:(.*)$/su

/** An event whose data is marked, which may come in several lines; and its data. */
function markedEvent(lines: readonly string[]): readonly [text: string, data: string] {
  const data = lines.flatMap((line) => DATA.exec(line)?.[1] ?? [])
  const others = lines.filter((line) => line !== '' && !DATA.test(line))
  const text = data.length === 0 ? [] : marked(data.join('\n')).split('\n')
  return [[...others, ...text.map((line) => `data:${line}`), '', ''].join('\n'), text.join('\n')]
}
