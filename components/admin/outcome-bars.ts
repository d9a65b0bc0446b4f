import type { FetchOutcome, FetchReport } from '@/lib/contract/feed-status'

/** The chart's coordinates: one slot for each of the fetches remembered, room above for the marks of failures. */
export const CHART = { slots: 60, slotWidth: 8, barWidth: 5, width: 480, height: 104, headroom: 14 } as const

type Bar = { x: number; top: number; fetch: FetchReport }
type OutcomeBars = {
  /** Oldest first; the newest stands at the right. */
  bars: Bar[]
  /** A line for every power of ten, in ms. */
  lines: { ms: number; y: number }[]
}

const LEAST_TOP_MS = 100
/** So that even a fetch of no time can be seen. */
const LEAST_HEIGHT = 4

/** Where each fetch's bar stands, on a logarithmic scale: 10 ms and a time-out of 30 s have to fit on one chart. */
export function outcomeBars(history: readonly FetchReport[]): OutcomeBars {
  const latest = history.slice(0, CHART.slots)
  const longest = Math.max(LEAST_TOP_MS, ...latest.map(({ durationMs }) => durationMs))
  const decades = Math.ceil(Math.log10(longest))
  const y = (ms: number) => {
    const share = Math.log10(Math.max(1, ms)) / decades
    return CHART.height - Math.max(LEAST_HEIGHT, share * (CHART.height - CHART.headroom))
  }
  return {
    bars: latest
      .map((fetch, age) => ({ x: CHART.width - (age + 1) * CHART.slotWidth, top: y(fetch.durationMs), fetch }))
      .toReversed(),
    lines: Array.from({ length: decades }, (_, index) => 10 ** (index + 1)).map((ms) => ({ ms, y: y(ms) })),
  }
}

/** In the order of the legend: what is well first. */
export const outcomes = [
  'ok',
  'not-modified',
  'unavailable',
  'unreadable',
  'rate-limited',
  'unauthenticated',
  'unauthorized',
] as const satisfies readonly FetchOutcome[]

/** How often each outcome occurs, without those that do not. */
export function countOutcomes(history: readonly FetchReport[]): { outcome: FetchOutcome; count: number }[] {
  return outcomes
    .map((outcome) => ({ outcome, count: history.filter((fetch) => fetch.outcome === outcome).length }))
    .filter(({ count }) => count > 0)
}

/** Half of the fetches took at most `medianMs`. Both are 0 when there are none. */
export function fetchTimes(history: readonly FetchReport[]): { medianMs: number; longestMs: number } {
  const sorted = history.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b)
  return { medianMs: sorted[Math.floor((sorted.length - 1) / 2)] ?? 0, longestMs: sorted.at(-1) ?? 0 }
}
