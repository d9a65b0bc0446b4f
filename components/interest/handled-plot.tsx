import type { HandlingTimes } from '@/lib/interest/time-to-handled'
import { useDuration } from './use-duration'

export type WaitingRow = HandlingTimes & { id: string; name: string }

const ROW = 26
const NAME_CHARACTERS = 30
const CHARACTER = 6.4

type HandledPlotProps = { rows: readonly WaitingRow[]; width: number; at: number }

/** A row for each school: a dot at the median, and a line on to the ninetieth percentile. */
export function HandledPlot({ rows, width, at }: HandledPlotProps) {
  const duration = useDuration()
  const longest = Math.max(1, ...rows.map(({ p90Minutes }) => p90Minutes ?? 0))
  const letters = Math.min(NAME_CHARACTERS, Math.floor((width * 0.4) / CHARACTER))
  const left = letters * CHARACTER + 8
  const right = width - 10
  const floor = rows.length * ROW
  return (
    <svg data-picture viewBox={`0 0 ${width} ${floor + ROW}`} aria-hidden="true" className="text-xs">
      <rect y={at * ROW} width={width} height={ROW} rx="4" className="fill-hover print:hidden" />
      {rows.map((row, index) => (
        <g key={row.id} transform={`translate(0 ${(index + 0.5) * ROW})`}>
          <text x="4" y="4" className="fill-ink">
            {row.name.length > letters ? `${row.name.slice(0, letters - 1)}…` : row.name}
          </text>
          <line x1={left} x2={right} className="stroke-line-soft" />
          <Span row={row} x={(minutes) => left + (minutes / longest) * (right - left)} />
        </g>
      ))}
      <text x={left} y={floor + 17} className="fill-faint text-2xs">
        0
      </text>
      <text x={right} y={floor + 17} textAnchor="end" className="fill-faint text-2xs">
        {duration(longest)}
      </text>
    </svg>
  )
}

function Span({ row: { medianMinutes, p90Minutes }, x }: { row: WaitingRow; x: (minutes: number) => number }) {
  if (medianMinutes === null || p90Minutes === null) return null
  const [median, p90] = [x(medianMinutes), x(p90Minutes)]
  return (
    <>
      <line x1={median} x2={p90} className="stroke-accent" strokeWidth="3" />
      <line x1={p90} x2={p90} y1="-6" y2="6" className="stroke-accent" strokeWidth="2" />
      <circle cx={median} r="5" className="fill-accent stroke-panel" strokeWidth="1.5" />
    </>
  )
}
