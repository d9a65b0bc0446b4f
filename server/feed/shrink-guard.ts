const MIN_ANSWERS = 3
const MIN_DOUBT_MS = 120_000
/** Shorter lists are doubted only when they become empty: a lead or two that were withdrawn go at once. */
const MIN_GUARDED_COUNT = 10

/** Losing half is more often a fault of the service: it is believed once answers lack the same ids for two minutes. */
export function createShrinkGuard(monotonic: () => number) {
  let openDoubt: { missingIds: string; answerCount: number; since: number } | null = null
  /** Returns why an answer is not believed yet, or null. */
  return (idsBefore: readonly string[], idsNow: readonly string[]): string | null => {
    const countBefore = idsBefore.length
    const countNow = idsNow.length
    const isSuspicious =
      countNow === 0 ? countBefore > 0 : countBefore >= MIN_GUARDED_COUNT && countNow < countBefore / 2
    if (!isSuspicious) return (openDoubt = null)
    const sentIds = new Set(idsNow)
    const missingIds = JSON.stringify(idsBefore.filter((id) => !sentIds.has(id)))
    if (openDoubt?.missingIds !== missingIds) openDoubt = { missingIds, answerCount: 0, since: monotonic() }
    openDoubt.answerCount++
    const { answerCount, since } = openDoubt
    if (answerCount >= MIN_ANSWERS && monotonic() - since >= MIN_DOUBT_MS) return (openDoubt = null)
    return `only ${countNow} of ${countBefore} records were sent; answer ${answerCount} that lacks the same`
  }
}
