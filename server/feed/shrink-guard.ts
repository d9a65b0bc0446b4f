import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'

export const doubtSchema = z.object({
  before: z.int(),
  now: z.int(),
  digest: z.string(),
  /** Such answers in a row, and how long (ms) they have lasted. */
  answers: z.int(),
  lastedMs: z.number(),
})
export type Doubt = z.infer<typeof doubtSchema>

export type Sized = { ids: readonly string[]; has: (id: string) => boolean }
export type ShrinkGuard = ReturnType<typeof createShrinkGuard>

const ENOUGH_ANSWERS = 3
const LONG_ENOUGH_MS = 120_000
const HALF = 0.5
/** Half of fewer is a lead or two that were withdrawn: those must go at once. */
const MIN_SUSPICIOUS = 10

/** Losing half is more often a fault than the truth: it is believed after three like answers over two minutes. */
export function createShrinkGuard(monotonic: () => number) {
  let doubted: { digest: string; answers: number; since: number } | null = null
  function judge(held: Sized, sent: Sized): Doubt | null {
    const [before, now] = [held.ids.length, sent.ids.length]
    if (!isSuspicious(before, now)) return null
    const digest = digestOfMissing(held, sent)
    const current = doubted?.digest === digest ? doubted : { digest, answers: 0, since: monotonic() }
    doubted = { ...current, answers: current.answers + 1 }
    const lastedMs = monotonic() - current.since
    if (doubted.answers >= ENOUGH_ANSWERS && lastedMs >= LONG_ENOUGH_MS) return null
    return { before, now, digest, answers: doubted.answers, lastedMs }
  }

  return {
    judge,
    /** Another instance's doubt goes on here. */
    adopt: ({ digest, answers, lastedMs }: Doubt): void =>
      void (doubted = { digest, answers, since: monotonic() - lastedMs }),
    clear: (): void => void (doubted = null),
  }
}

function isSuspicious(before: number, now: number): boolean {
  if (now === 0) return before > 0
  return before >= MIN_SUSPICIOUS && now < before * HALF
}

function digestOfMissing(held: Sized, sent: Sized): string {
  const missing = held.ids.filter((id) => !sent.has(id))
  return createHash('sha256').update(JSON.stringify(missing)).digest('base64url')
}

export function doubtText({ before, now, answers }: Doubt): string {
  return `only ${now} of ${before} records were sent; answer ${answers} that lacks the same`
}
