import { createHash } from 'node:crypto'
import type { Doubt } from './list-state'

export type ShrinkGuard = ReturnType<typeof createShrinkGuard>

const MIN_ANSWERS = 3
const MIN_DOUBT_MS = 120_000
/** Shorter lists are doubted only when they become empty: a lead or two that were withdrawn go at once. */
const MIN_SUSPICIOUS = 10

/** A list that lost half is believed after three like answers over two minutes, because more often it is a fault. */
export function createShrinkGuard(monotonic: () => number) {
  let openDoubt: { digest: string; answers: number; since: number } | null = null
  return {
    /** Returns null if the answer is to be believed. */
    findDoubt(idsBefore: readonly string[], idsNow: readonly string[]): Doubt | null {
      const before = idsBefore.length
      const now = idsNow.length
      if (now === 0 ? before === 0 : before < MIN_SUSPICIOUS || now >= before / 2) return null
      const sentIds = new Set(idsNow)
      const missing = idsBefore.filter((id) => !sentIds.has(id))
      const digest = createHash('sha256').update(JSON.stringify(missing)).digest('base64url')
      if (openDoubt?.digest !== digest) openDoubt = { digest, answers: 0, since: monotonic() }
      openDoubt.answers++
      const { answers, since } = openDoubt
      const lastedMs = monotonic() - since
      return answers >= MIN_ANSWERS && lastedMs >= MIN_DOUBT_MS ? null : { before, now, digest, answers, lastedMs }
    },
    /** Continues a doubt that another instance has begun. */
    adopt({ digest, answers, lastedMs }: Doubt): void {
      openDoubt = { digest, answers, since: monotonic() - lastedMs }
    },
    clear(): void {
      openDoubt = null
    },
  }
}
