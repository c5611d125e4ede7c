import { markup } from '../../markup.js'

const MINUTE = 60_000

/** The countdown is silent; this speaks at five minutes, at one, and at the end. */
export const TimeSpoken = ({ leftMs }: { readonly leftMs: number }) =>
  markup`<p class="vh" role="status">
    ${leftMs <= 0 ? 'It has expired.' : leftMs <= MINUTE ? 'One minute left.' : leftMs <= 5 * MINUTE ? 'Five minutes left.' : ''}
  </p>`
