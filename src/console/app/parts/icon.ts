import type { VNode } from 'preact'
import { markup } from '../markup.js'

/** Drawn on 16 by 16; hidden from readers, who have the word beside it. */
const PATHS = {
  inbox: ['M2 9.5 4 3h8l2 6.5V13H2z', 'M2 9.5h3.5l1 1.7h3l1-1.7H14'],
  activity: ['M1.5 8.5h3l2-5.5 3 10 2-4.5h3'],
  connections: ['M6.5 9.5 9.5 6.5M7.5 4.5l1.3-1.3a2.9 2.9 0 0 1 4 4L11.5 8.5M8.5 11.5l-1.3 1.3a2.9 2.9 0 0 1-4-4L4.5 7.5'],
  tokens: ['M2.3 3.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0', 'M10.3 8a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0', 'M10.3 13a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0-3.4 0', 'M4 5.2V13h6.3M4 8h6.3'],
  capabilities: ['M3 2h3a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1', 'M10 2h3a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1V3a1 1 0 0 1 1-1', 'M3 9h3a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1', 'M10 9h3a1 1 0 0 1 1 1v3a1 1 0 0 1-1 1h-3a1 1 0 0 1-1-1v-3a1 1 0 0 1 1-1'],
  overview: ['M2 13.5h12M4 11V7.5M8 11V3M12 11V5.5'],
  done: ['M1.8 8a6.2 6.2 0 1 0 12.4 0a6.2 6.2 0 1 0-12.4 0', 'm5.2 8.2 2 2 3.6-4'],
  denied: ['M1.8 8a6.2 6.2 0 1 0 12.4 0a6.2 6.2 0 1 0-12.4 0', 'm5.8 5.8 4.4 4.4m0-4.4-4.4 4.4'],
  refused: ['M1.8 8a6.2 6.2 0 1 0 12.4 0a6.2 6.2 0 1 0-12.4 0', 'm3.7 12.3 8.6-8.6'],
  failed: ['M5.5 1.8h5l3.7 3.7v5l-3.7 3.7h-5l-3.7-3.7v-5z', 'M8 4.8v3.6M8 11v.1'],
  waiting: ['M1.8 8a6.2 6.2 0 1 0 12.4 0a6.2 6.2 0 1 0-12.4 0', 'M8 4.6V8l2.3 1.6'],
  expired: ['M4 2h8M4 14h8M5 2v2.5L8 8l3-3.5V2M5 14v-2.5L8 8l3 3.5V14'],
  undo: ['M6 3 3 6l3 3', 'M3 6h6.5a3.5 3.5 0 0 1 0 7H6'],
  irreversible: ['M2 8h8.5M7 4.5 10.5 8 7 11.5M13.5 3v10'],
  write: ['m3 13 .7-3L11 2.7l2.3 2.300L6 12.300z', 'm9.5 4.2 2.3 2.3'],
  read: ['M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8', 'M6 8a2 2 0 1 0 4 0a2 2 0 1 0-4 0'],
  verified: ['M8 1.7 13.5 3.700v4c0 3.2-2.2 5.5-5.5 6.6-3.3-1.1-5.5-3.4-5.5-6.600v-4z', 'm5.6 8 1.7 1.7 3.2-3.5'],
  person: ['M5.3 5a2.7 2.7 0 1 0 5.4 0a2.7 2.7 0 1 0-5.4 0', 'M2.8 14c.5-3 2.6-4.3 5.2-4.300s4.7 1.3 5.2 4.3'],
  agent: ['M4.5 5h7a2 2 0 0 1 2 2v4.500a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2', 'M8 2v3M5.8 8.500v1.400M10.2 8.500v1.4'],
  tick: ['m3.5 8.500 3 3 6-7'],
  dash: ['M5.500 8h5'],
  live: ['M4.5 8a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z'],
} as const // prettier-ignore

export type IconName = keyof typeof PATHS

export const icon = (name: IconName): VNode =>
  markup`
    <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
      ${PATHS[name].map((d) => markup`<path d=${d} fill=${name === 'live' ? 'currentColor' : undefined} />`)}
    </svg>
  ` as VNode
