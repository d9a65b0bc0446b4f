import { useFormatter, useTranslations } from 'next-intl'
import { cn } from '@/components/ui/cn'
import type { Figures } from '@/lib/interest/figures-csv'

/** The figures of a chart as a table that scrolls within itself; the first column names the row. */
export function FiguresTable({ caption, figures }: { caption: string; figures: Figures }) {
  const t = useTranslations('interest.chart')
  const format = useFormatter()
  const isNumber = figures.columns.map((_, column) => figures.rows.some((row) => typeof row[column] === 'number'))
  return (
    <div
      role="region"
      aria-label={t('tableOf', { title: caption })}
      tabIndex={0}
      className="mt-2 max-h-80 overflow-auto rounded-md border border-line scroll-thin"
    >
      <table className="tabular w-full border-separate border-spacing-0 text-left text-xs [&_td]:border-b [&_td]:border-line-soft [&_td]:px-3 [&_td]:py-1.5 [&_th]:px-3 [&_th]:py-1.5">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {figures.columns.map((name, column) => (
              <th
                key={name}
                scope="col"
                className={cn(
                  'sticky top-0 border-b border-line bg-panel font-medium whitespace-nowrap text-mute',
                  isNumber[column] && 'text-right',
                )}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.rows.map((row) => (
            <tr key={row.join(' ')}>
              {row.map((cell, column) =>
                column === 0 ? (
                  <th key={figures.columns[0]} scope="row" className="border-b border-line-soft font-medium">
                    {cell}
                  </th>
                ) : (
                  <td key={figures.columns[column]} className={cn(isNumber[column] && 'text-right')}>
                    {typeof cell === 'number' ? format.number(cell) : cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
