import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import type { FetchOutcome, FetchReport } from '@/lib/contract/feed-status'
import { preciseDuration } from './status-parts'

const [SLOTS, SLOT_WIDTH, BAR_WIDTH, MARK_HEIGHT] = [60, 8, 5, 14]

export const CHART = { slots: SLOTS, width: SLOTS * SLOT_WIDTH, height: 104, headroom: MARK_HEIGHT } as const

export function FetchChart({ label, history }: { label: string; history: readonly FetchReport[] }) {
  const t = useTranslations('admin.status.history')
  const locale = useLocale()
  const { bars, gridLines } = fetchBars(history)
  const { width, height } = CHART
  return (
    <div className="flex gap-2">
      <div aria-hidden="true" className="tabular relative w-10 shrink-0 text-2xs text-faint">
        {gridLines.map(({ ms, y }) => (
          <span
            key={ms}
            suppressHydrationWarning
            className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
            style={{ top: `${(y / height) * 100}%` }}
          >
            {preciseDuration(ms, locale)}
          </span>
        ))}
      </div>
      <div className="min-w-0 flex-1">
        <svg
          suppressHydrationWarning
          role="img"
          aria-label={label}
          viewBox={`0 0 ${width} ${height}`}
          className="block w-full"
        >
          {gridLines.map(({ ms, y }) => (
            <line key={ms} x1="0" x2={width} y1={y} y2={y} className="stroke-line-soft" />
          ))}
          <line x1="0" x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-line" />
          {bars.map(({ x, top, fetch: { outcome } }) => (
            <OutcomeShape key={x} outcome={outcome} x={x} top={top} bottom={height} />
          ))}
        </svg>
        <p aria-hidden="true" className="mt-1 flex justify-between text-2xs text-faint">
          <span>{t('oldest')}</span>
          <span>{t('newest')}</span>
        </p>
      </div>
    </div>
  )
}

export function LegendShape({ outcome }: { outcome: FetchOutcome }) {
  const [height, top] = [18, 4]
  return (
    <svg viewBox={`0 0 ${2 * BAR_WIDTH} ${height}`} aria-hidden="true" className="h-4.5 w-2.5">
      <OutcomeShape
        outcome={outcome}
        x={BAR_WIDTH / 2}
        top={OUTCOME_STYLES[outcome].mark ? top + MARK_HEIGHT / 2 : top}
        bottom={height - 1}
      />
    </svg>
  )
}

function OutcomeShape({ outcome, x, top, bottom }: { outcome: FetchOutcome; x: number; top: number; bottom: number }) {
  const { colour, mark } = OUTCOME_STYLES[outcome]
  const isHollow = outcome === 'not-modified'
  const inset = isHollow ? 0.5 : 0
  return (
    <g className={colour}>
      <rect
        x={x + inset}
        y={top + inset}
        width={BAR_WIDTH - 2 * inset}
        height={bottom - top - 2 * inset}
        fill={isHollow ? 'none' : 'currentColor'}
        stroke={isHollow ? 'currentColor' : 'none'}
      />
      {mark && <g transform={`translate(${x + BAR_WIDTH / 2} ${top - MARK_HEIGHT / 2})`}>{mark}</g>}
    </g>
  )
}

const STROKE = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' } as const

const OUTCOME_STYLES: Record<FetchOutcome, { colour: string; mark: ReactNode }> = {
  ok: { colour: 'text-status-handled', mark: null },
  'not-modified': { colour: 'text-status-handled', mark: null },
  unavailable: { colour: 'text-danger', mark: <path {...STROKE} d="m-2.8-2.8 5.6 5.6m0-5.6-5.6 5.6" /> },
  unreadable: { colour: 'text-danger', mark: <circle {...STROKE} r="2.8" /> },
  'rate-limited': { colour: 'text-status-progress', mark: <path fill="currentColor" d="M0-4 4 0 0 4-4 0z" /> },
  unauthenticated: { colour: 'text-danger', mark: <path fill="currentColor" d="M0-3.6 4 3.2H-4z" /> },
  unauthorized: { colour: 'text-danger', mark: <path fill="currentColor" d="M-3-3H3V3H-3z" /> },
}

export const OUTCOMES = Object.keys(OUTCOME_STYLES) as FetchOutcome[]

type Bar = { x: number; top: number; fetch: FetchReport }
type FetchBars = {
  bars: Bar[]
  /** A line for every power of ten, in ms. */
  gridLines: { ms: number; y: number }[]
}

const MIN_SCALE_MS = 100
/** So that even an instant fetch can be seen. */
const MIN_BAR_HEIGHT = 4

/** On a logarithmic scale: 10 ms and a time-out of 30 s have to fit on one chart. */
export function fetchBars(history: readonly FetchReport[]): FetchBars {
  const latest = history.slice(0, SLOTS)
  const longest = Math.max(MIN_SCALE_MS, ...latest.map(({ durationMs }) => durationMs))
  const decades = Math.ceil(Math.log10(longest))
  const y = (ms: number) => {
    const share = Math.log10(Math.max(1, ms)) / decades
    return CHART.height - Math.max(MIN_BAR_HEIGHT, share * (CHART.height - CHART.headroom))
  }
  return {
    bars: latest
      .map((fetch, age) => ({
        x: CHART.width - (age + 1) * SLOT_WIDTH + (SLOT_WIDTH - BAR_WIDTH) / 2,
        top: y(fetch.durationMs),
        fetch,
      }))
      .toReversed(),
    gridLines: Array.from({ length: decades }, (_, index) => 10 ** (index + 1)).map((ms) => ({ ms, y: y(ms) })),
  }
}
