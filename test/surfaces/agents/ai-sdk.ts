import * as ai from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { serviceTools } from '../../../src/adapters/ai-sdk.js'
import type { Agent, Place } from './agent.js'
import { sessionOf } from './ai-sdk-session.js'
import { clientOf } from './typed-client.js'

/** An agent of the AI SDK, version 6. */
export const aiSdk6 = async (place: Place): Promise<Agent> =>
  sessionOf({
    ai,
    Model: MockLanguageModelV3,
    settings: (task) =>
      serviceTools(clientOf(place), place.tools, {
        ...(place.approval && { approval: place.approval }),
        ...(task !== undefined && { task_id: task }),
      }),
  })
