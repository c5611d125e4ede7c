/** A client gives up after ten rounds. */
export const MOST_ROUNDS = 8

/** Each round is shorter than a client's time limit (surfaces, fact 4). */
export const ROUND_SECONDS = 20
