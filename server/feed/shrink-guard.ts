import 'server-only'
import { createHash } from 'node:crypto'

/** An answer that is so much smaller than what is held that it is not believed yet. */
export type Doubt = {
  /** How many records are held, and how many were sent. */
  before: number
  now: number
  /** Of what is missing: two answers that lack the same have the same. */
  digest: string
  /** How many such answers there were in a row, and for how long (ms) by now. */
  answers: number
  lastedMs: number
}

/** What the guard looks at of a list: the ids of its records, and whether there is one with this id. */
export type Sized = { ids: readonly string[]; has: (id: string) => boolean }

export type ShrinkGuard = {
  /** Null when what was sent is to be believed. */
  judge(held: Sized, sent: Sized): Doubt | null
  /** What another instance doubts goes on here, whoever fetches next. */
  hear(doubt: Doubt): void
  /** There was an answer to believe. */
  clear(): void
}

const ENOUGH_ANSWERS = 3
const LONG_ENOUGH_MS = 120_000
const HALF = 0.5
/** Of fewer, half are one or two leads whose senders withdrew them: those must be gone at once. */
const FEW = 10

/**
 * A list that loses half of itself, or all, has more often met a fault of the service than the truth, so what is held stays
 * until three answers over two minutes lack the same records: new ones may come meanwhile. A few records may become fewer,
 * but nothing at all is doubted whatever was held: that is what a lost school or a broken service looks like.
 */
export function createShrinkGuard(monotonic: () => number): ShrinkGuard {
  let doubted: { digest: string; answers: number; since: number } | null = null
  function judge(held: Sized, sent: Sized): Doubt | null {
    const [before, now] = [held.ids.length, sent.ids.length]
    if (!isSuspicious(before, now)) return null
    const digest = digestOfMissing(held, sent)
    const known = doubted?.digest === digest ? doubted : { digest, answers: 0, since: monotonic() }
    doubted = { ...known, answers: known.answers + 1 }
    const lastedMs = monotonic() - known.since
    if (doubted.answers >= ENOUGH_ANSWERS && lastedMs >= LONG_ENOUGH_MS) return null
    return { before, now, digest, answers: doubted.answers, lastedMs }
  }

  return {
    judge,
    hear: ({ digest, answers, lastedMs }) => void (doubted = { digest, answers, since: monotonic() - lastedMs }),
    clear: () => void (doubted = null),
  }
}

function isSuspicious(before: number, now: number): boolean {
  if (now === 0) return before > 0
  return before >= FEW && now < before * HALF
}

function digestOfMissing(held: Sized, sent: Sized): string {
  const missing = held.ids.filter((id) => !sent.has(id))
  return createHash('sha256').update(JSON.stringify(missing)).digest('base64url')
}

/** For administrators and the log. */
export function doubtText({ before, now, answers }: Doubt): string {
  return `only ${now} of ${before} records were sent; answer ${answers} that lacks the same`
}
