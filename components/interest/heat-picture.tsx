import { useFormatter } from 'next-intl'
import type { Cell, Figures } from '@/lib/interest/figures-csv'
import type { InterestGrid, SchoolRow } from '@/lib/interest/interest-grid'
import type { Unit } from '@/lib/interest/interest-page'

const NAME = 250
const COLUMN = 74
const ROW = 24

type HeatPictureProps = { figures: Figures; grid: InterestGrid; rows: readonly SchoolRow[]; unit: Unit }

/** The table as a drawing, for its picture only. */
export function HeatPicture({ figures, grid, rows, unit }: HeatPictureProps) {
  const format = useFormatter()
  const most = Math.max(1, ...grid.schools.flatMap(({ cells }) => cells.map((count) => count[unit])))
  const width = NAME + (figures.columns.length - 1) * COLUMN
  const x = (column: number) => (column === 0 ? 0 : NAME + column * COLUMN - 6)
  const texts = (cells: readonly Cell[], y: number, className: string) =>
    cells.map((cell, column) => (
      <text
        key={figures.columns[column]}
        x={x(column)}
        y={y}
        textAnchor={column === 0 ? 'start' : 'end'}
        className={className}
      >
        {column === 0 ? shortened(String(cell)) : typeof cell === 'number' ? format.number(cell) : cell}
      </text>
    ))
  return (
    <div hidden>
      <svg
        data-picture
        aria-hidden="true"
        viewBox={`0 0 ${width} ${(figures.rows.length + 1) * ROW}`}
        className="tabular text-xs"
      >
        {texts(figures.columns, 16, 'fill-mute font-medium')}
        {figures.rows.map((line, index) => (
          <g key={rows[index - 1]?.id ?? ''} transform={`translate(0 ${(index + 1) * ROW})`}>
            {grid.years.map((year, column) => (
              <rect
                key={year}
                x={NAME + column * COLUMN + 2}
                y="1"
                width={COLUMN - 4}
                height={ROW - 2}
                rx="3"
                className="fill-accent"
                fillOpacity={0.05 + 0.4 * Math.sqrt((rows[index - 1]?.cells[column]?.[unit] ?? 0) / most)}
              />
            ))}
            {texts(line, 16, index === 0 ? 'fill-ink font-semibold' : 'fill-ink')}
          </g>
        ))}
      </svg>
    </div>
  )
}

const LETTERS = 38

function shortened(name: string): string {
  return name.length > LETTERS ? `${name.slice(0, LETTERS - 1)}…` : name
}
