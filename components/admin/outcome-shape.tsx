import type { ReactNode } from 'react'
import type { FetchOutcome } from '@/lib/contract/feed-report'

type OutcomeShapeProps = { outcome: FetchOutcome; x: number; top: number; bottom: number; width: number }

/** One fetch as a bar: full, hollow, or with the mark of what went wrong above it. To be drawn within an `svg`. */
export function OutcomeShape({ outcome, x, top, bottom, width }: OutcomeShapeProps) {
  const { colour, mark } = looks[outcome]
  const isHollow = outcome === 'not-modified'
  const inset = isHollow ? 0.5 : 0
  return (
    <g className={colour}>
      <rect
        x={x + inset}
        y={top + inset}
        width={width - 2 * inset}
        height={bottom - top - 2 * inset}
        fill={isHollow ? 'none' : 'currentColor'}
        stroke={isHollow ? 'currentColor' : 'none'}
      />
      {mark && <g transform={`translate(${x + width / 2} ${top - 7})`}>{mark}</g>}
    </g>
  )
}

/** The same, alone, for a legend. */
export function OutcomeSwatch({ outcome }: { outcome: FetchOutcome }) {
  const top = looks[outcome].mark ? 11 : 4
  return (
    <svg viewBox="0 0 10 18" aria-hidden="true" className="h-4.5 w-2.5">
      <OutcomeShape outcome={outcome} x={2.5} top={top} bottom={17} width={5} />
    </svg>
  )
}

const line = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, strokeLinecap: 'round' } as const

const looks: Record<FetchOutcome, { colour: string; mark: ReactNode }> = {
  ok: { colour: 'text-status-handled', mark: null },
  'not-modified': { colour: 'text-status-handled', mark: null },
  unavailable: { colour: 'text-danger', mark: <path {...line} d="m-2.8-2.8 5.6 5.6m0-5.6-5.6 5.6" /> },
  unreadable: { colour: 'text-danger', mark: <circle {...line} r="2.8" /> },
  'rate-limited': { colour: 'text-status-progress', mark: <path fill="currentColor" d="M0-4 4 0 0 4-4 0z" /> },
  unauthenticated: { colour: 'text-danger', mark: <path fill="currentColor" d="M0-3.6 4 3.2H-4z" /> },
  unauthorized: { colour: 'text-danger', mark: <path fill="currentColor" d="M-3-3H3V3H-3z" /> },
}
