import 'server-only'

/** The service may have counted a request at any moment of this span. True time, ms. */
export type Span = { from: number; to: number }

/**
 * The most requests that a service could have counted within some window of `windowMs`, both ends included, if it
 * chose the worst moment for each. Independent of how the budget reasons: it only compares spans.
 */
export function worstCount(spans: readonly Span[], windowMs: number): number {
  let worst = 0
  for (const last of spans) {
    const countable = spans.filter((span) => span.from <= last.from && span.to >= last.from - windowMs)
    worst = Math.max(worst, countable.length)
  }
  return worst
}
