import { cn } from '@/components/ui/cn'
import type { Count } from '@/lib/interest/interest-counts'
import type { InterestGrid } from '@/lib/interest/interest-grid'
import type { Unit } from '@/lib/interest/interest-page'
import { useCountWords } from './use-count-words'

export const sticky = 'sticky left-0 print:static'

type HeatRowProps = {
  name: string
  years: readonly number[]
  row: InterestGrid['total']
  unit: Unit
  /** The largest number of a cell, which is darkest. */
  most: number
  hasOther: boolean
  isWithheld: boolean
  isTotal?: boolean
}

/** The cells are no components of their own: with 147 schools there are thousands. */
export function HeatRow({ name, years, row, unit, most, hasOther, isWithheld, isTotal = false }: HeatRowProps) {
  const words = useCountWords(isWithheld)
  const write = isTotal ? words.sum : words.cell
  return (
    <tr className={cn(isTotal && 'font-semibold')}>
      <th
        scope="row"
        title={name}
        className={cn(
          sticky,
          'z-10 max-w-32 min-w-32 truncate bg-panel pr-2 pl-1.5 text-left desk:max-w-60 desk:min-w-36 print:max-w-56 print:whitespace-normal',
          isTotal ? 'top-7.5 z-20 font-semibold' : 'font-normal',
        )}
      >
        {name}
      </th>
      {years.map((year, column) => {
        const { [unit]: value, isAbout } = row.cells[column] ?? NONE
        return (
          <td
            key={year}
            style={isTotal ? undefined : { backgroundColor: shade(value / most) }}
            className={cn(cellClass, isTotal && totalClass, value === 0 && 'text-faint')}
          >
            {isTotal ? words.sum(value, isAbout) : words.cell(value)}
          </td>
        )
      })}
      {hasOther && (
        <td className={cn(cellClass, isTotal && totalClass)}>{write(row.other[unit], row.other.isAbout)}</td>
      )}
      <td className={cn(cellClass, 'font-semibold', isTotal && totalClass)}>
        {words.sum(row.total[unit], row.total.isAbout)}
      </td>
      <td className={cn(cellClass, 'text-mute', isTotal && totalClass)}>
        {write(row.questions, row.areQuestionsAbout)}
      </td>
    </tr>
  )
}

const NONE: Count = { declarations: 0, people: 0 }
const cellClass = '[print-color-adjust:exact] h-7 min-w-12 rounded-xs px-1.5 text-right whitespace-nowrap'
const totalClass = 'sticky top-7.5 z-10 bg-panel print:static'

/** By the root, so that one large school does not make all others alike. */
function shade(share: number): string {
  return `color-mix(in oklab, var(--color-accent) ${Math.round(Math.sqrt(share) * 40)}%, var(--color-line-soft))`
}
